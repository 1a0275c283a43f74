import { Metadata, status as GrpcCode, type ServiceError as GrpcError } from '@grpc/grpc-js';
import { randomUUID } from 'node:crypto';
import type { RequestContext } from '../../context';
import { isServiceTokenRefused, TimedOut, Unsent } from '../../errors';
import { beginPart } from '../../tracing';
import type { CallerOptions } from './client';
import { fromGrpcError } from '../error-status';
import { timeCall } from '../metrics';
import { peerTrust } from '../peer-trust';
import type { CallOptions, MethodDefinition } from '../types';

/** Deadline of a background call, in milliseconds. Within a request, the request's deadline applies. */
const BACKGROUND_DEADLINE_MS = 10_000;

/** Headers sent with a call. */
export interface CallHeaders {
  readonly token: string;
  readonly requestId: string;
  readonly clientAddress?: string;
  readonly traceparent?: string;
}

/** The metadata of a separate call. */
export const metadataOf = ({ token, requestId, clientAddress, traceparent }: CallHeaders): Metadata => {
  const metadata = new Metadata();
  metadata.set('x-weft-service-token', token);
  metadata.set('x-request-id', requestId);
  if (clientAddress !== undefined) metadata.set('x-weft-client-address', clientAddress);
  if (traceparent !== undefined) metadata.set('traceparent', traceparent);
  return metadata;
};

/** A call being sent. */
export interface Sending {
  readonly headers: CallHeaders;
  /** Monotonic milliseconds of this process. */
  readonly deadline: number;
  /** Counts it and ends its span with the response code. */
  readonly ended: (code: number) => void;
}

/** The earlier of the request's deadline and the call's timeout. */
const deadlineOf = (call: CallOptions, context: RequestContext | undefined, now: number): number =>
  context?.deadline === undefined
    ? now + (call.deadlineMs ?? BACKGROUND_DEADLINE_MS)
    : Math.min(context.deadline, now + (call.deadlineMs ?? Number.POSITIVE_INFINITY));

/**
 * Prepares a call for sending.
 * @param isRefused true if the token of an earlier attempt was refused
 * @throws TimedOut if its deadline has passed
 */
export const prepareCall = (
  { service, sign }: Pick<CallerOptions, 'service' | 'sign'>,
  method: MethodDefinition,
  call: CallOptions,
  context: RequestContext | undefined,
  isRefused = false,
): Sending => {
  const now = performance.now();
  const deadline = deadlineOf(call, context, now);
  if (deadline <= now) throw new TimedOut();
  const name = method.path.slice(1);
  const attributes = { 'rpc.system.name': 'grpc', 'rpc.method': name };
  const span = beginPart(context, { name, kind: 'client', attributes });
  const timed = timeCall(service);
  return {
    headers: {
      token: call.token ?? sign(service, method.path, call.principal, isRefused),
      requestId: context?.requestId ?? randomUUID(),
      ...(context?.clientAddress === undefined ? {} : { clientAddress: context.clientAddress }),
      ...(span === undefined ? {} : { traceparent: span.traceparent }),
    },
    deadline,
    ended: (code) => {
      timed(code);
      span?.end(code === GrpcCode.OK ? undefined : GrpcCode[code]);
    },
  };
};

/** True for a failed call as reported by grpc-js. */
export const isGrpcError = (error: unknown): error is GrpcError =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'number' &&
  error.code in GrpcCode &&
  'details' in error;

const converted = (error: unknown, service: string): unknown =>
  isGrpcError(error) ? fromGrpcError(error, service) : error;

/** True if the peer refused the token of this service: it has done nothing. */
export const isTokenRefused = (error: unknown, service: string): boolean =>
  isGrpcError(error) && error.code === GrpcCode.UNAUTHENTICATED && isServiceTokenRefused(converted(error, service));

/** Converts the error of a failed call. A refused token is a fault between services, not the caller's. */
export const asServiceError = (error: unknown, service: string): unknown => {
  if (!isTokenRefused(error, service)) return converted(error, service);
  peerTrust.refused(service);
  return new Unsent(`The ${service} service refuses calls of this process. Try again.`, error);
};
