import {
  status as GrpcCode,
  type Metadata,
  type ServerInterceptor,
  ServerInterceptingCall,
  type ServerInterceptingCallInterface,
  ServerListenerBuilder,
  ResponderBuilder,
} from '@grpc/grpc-js';
import { randomUUID } from 'node:crypto';
import { monotonicTimeOf, withContext } from '../../context';
import { toServiceError, Unauthorized, Unavailable } from '../../errors';
import type { Logger } from '../../logging';
import {
  type AccessRule,
  addressOf,
  authenticate,
  type Authentication,
  authorise,
  type Identity,
  reportRefusal,
} from './access';
import { reportFailure, toGrpcStatus } from '../error-status';
import { timeServed } from '../metrics';
import { createResponseMetadata, type ResponseMetadata, statusWith } from '../response-metadata';
import { limitMessages, stopReceiving, widenConnection } from './windows';
import { beginSpan, type ActiveSpan } from '../../tracing';

/** An admitted call. */
export interface Admission extends Identity {
  readonly requestId: string;
  /** Monotonic milliseconds of this process. */
  readonly deadline: number;
  /** Address of the client: reported by the calling service, or that of the connection for an external caller. */
  readonly clientAddress?: string;
  readonly span?: ActiveSpan;
  /** Counts the call and ends its span with the response code. */
  readonly served: (code: number) => void;
}

/** Deadline of callers without one, in milliseconds. */
const DEFAULT_DEADLINE_MS = 30_000;
/** Maximum calls of one connection whose API key or password is being verified. */
const MAX_UNVERIFIED = 200;
/** Maximum calls of one connection to methods without authentication: health and reflection. */
const MAX_ANONYMOUS = 16;
/** Maximum bytes of messages from unauthenticated callers. */
const MAX_ANONYMOUS_BYTES = 64 * 1024;

const admissions = new WeakMap<Metadata, Admission>();

/** The admission of a call, decided before its body was read. @throws Unauthorized if there is none */
export const admissionOf = (metadata: Metadata): Admission => {
  const admission = admissions.get(metadata);
  if (admission === undefined) throw new Unauthorized();
  return admission;
};

/** The request id that a caller sent, or a new one if it is not usable. */
export const requestIdOf = (given: unknown): string =>
  typeof given === 'string' && /^[\w.-]{1,100}$/.test(given) ? given : randomUUID();

/** The address of a client as reported by a service. */
export const boundedAddress = (given: string): string => given.slice(0, 100);

/** Only a service may report a client address: the token of the call is verified before this is used. */
const clientAddressOf = (metadata: Metadata, peer: string): string | undefined => {
  if (metadata.get('x-weft-service-token').length === 0) return addressOf(peer);
  const given = metadata.get('x-weft-client-address')[0];
  return typeof given === 'string' ? boundedAddress(given) : undefined;
};

const deadlineOf = (call: ServerInterceptingCallInterface): number => {
  const given = Number(call.getDeadline());
  return Number.isFinite(given) ? monotonicTimeOf(given) : performance.now() + DEFAULT_DEADLINE_MS;
};

/**
 * Starts the span of a call. Background calls of services come without a trace and do not begin one; calls of users do.
 */
export const traced = (
  method: string,
  given: unknown,
  isService: boolean,
  served: Admission['served'],
): Pick<Admission, 'span' | 'served'> => {
  const parent = typeof given === 'string' ? given : undefined;
  if (parent === undefined && isService) return { served };
  const name = method.slice(1);
  const attributes = { 'rpc.system.name': 'grpc', 'rpc.method': name };
  const span = beginSpan({ name, kind: 'server', attributes, parent });
  if (span === undefined) return { served };
  return {
    span,
    served: (code) => {
      served(code);
      span.end(code === GrpcCode.OK ? undefined : GrpcCode[code]);
    },
  };
};

/** Counts the calls in flight per connection. */
const createShares = (max: number) => {
  const taken = new Map<string, number>();
  return {
    /** Takes a slot. @returns a function that releases it; undefined if the connection has no free slot */
    take: (peer: string): (() => void) | undefined => {
      const count = taken.get(peer) ?? 0;
      if (count >= max) return undefined;
      taken.set(peer, count + 1);
      return () => {
        const left = (taken.get(peer) ?? 1) - 1;
        if (left > 0) taken.set(peer, left);
        else taken.delete(peer);
      };
    },
  };
};

const tooMany = (): Unavailable =>
  new Unavailable('Too many calls of this connection have proved nothing yet. Send fewer at once.');

interface Method {
  readonly rule: AccessRule;
  readonly startTiming: ReturnType<typeof timeServed>;
}

/** Dependencies of admission control. */
export interface AdmissionOptions {
  /** Rules by method path. Methods without a rule (health and reflection) are open to anyone. */
  readonly rules: ReadonlyMap<string, AccessRule>;
  /** Paths of methods whose calls are not timed. */
  readonly untimed: ReadonlySet<string>;
  readonly authentication: Authentication;
  readonly logger: Logger;
}

/**
 * Authenticates and authorises calls by their metadata. No message is read before that; at most the 64 KiB of the
 * connection's window and each stream's read-ahead arrive. A message to a method without a rule may have 64 KiB.
 */
export const createAdmission = ({ rules, untimed, authentication, logger }: AdmissionOptions): ServerInterceptor => {
  const unverified = createShares(MAX_UNVERIFIED);
  const anonymous = createShares(MAX_ANONYMOUS);
  const methods = new Map(
    [...rules].map(([path, rule]) => [
      path,
      { rule, startTiming: untimed.has(path) ? () => () => undefined : timeServed(path) },
    ]),
  );

  const admit = async (
    method: string,
    rule: AccessRule,
    metadata: Metadata,
    call: ServerInterceptingCallInterface,
    served: Admission['served'],
    response: ResponseMetadata,
  ): Promise<void> => {
    const clientAddress = clientAddressOf(metadata, call.getPeer());
    const context = {
      requestId: requestIdOf(metadata.get('x-request-id')[0]),
      deadline: deadlineOf(call),
      ...(clientAddress === undefined ? {} : { clientAddress }),
    };
    const isService = metadata.get('x-weft-service-token').length > 0;
    // Services know both already.
    if (!isService) response.setRequestId(context.requestId);
    const leave = isService ? undefined : unverified.take(call.getPeer());
    if (!isService && leave === undefined) throw tooMany();
    try {
      const identity = await withContext(context, () =>
        authenticate(metadata, method, call.getPeer(), authentication, response.setRateLimit),
      );
      try {
        authorise(identity, rule);
      } catch (error) {
        await withContext(context, () =>
          reportRefusal(authentication, identity.principal, method, toServiceError(error)),
        );
        throw error;
      }
      admissions.set(metadata, {
        ...context,
        ...identity,
        ...traced(method, metadata.get('traceparent')[0], isService, served),
      });
    } finally {
      leave?.();
    }
  };

  const guarded = (
    method: string,
    { rule, startTiming }: Method,
    call: ServerInterceptingCallInterface,
  ): ServerInterceptingCall => {
    const response = createResponseMetadata();
    const listener = new ServerListenerBuilder()
      .withOnReceiveMetadata((metadata, next) => {
        const served = startTiming();
        admit(method, rule, metadata, call, served, response).then(
          () => {
            widenConnection(call);
            next(metadata);
          },
          (error: unknown) => {
            const known = toServiceError(error);
            const status = toGrpcStatus(known);
            reportFailure(logger, method, known);
            served(status.code ?? GrpcCode.UNKNOWN);
            call.sendStatus(statusWith(status, response));
          },
        );
      })
      .withOnCancel(() => stopReceiving(call))
      .build();
    const responder = new ResponderBuilder()
      .withStart((next) => next(listener))
      .withSendMetadata((metadata, next) => {
        response.addTo(metadata);
        next(metadata);
      })
      .withSendStatus((status, next) => next(statusWith(status, response)))
      .build();
    return new ServerInterceptingCall(call, responder);
  };

  const open = (call: ServerInterceptingCallInterface): ServerInterceptingCall => {
    limitMessages(call, MAX_ANONYMOUS_BYTES);
    let leave: (() => void) | undefined;
    const listener = new ServerListenerBuilder()
      .withOnReceiveMetadata((metadata, next) => {
        leave = anonymous.take(call.getPeer());
        if (leave !== undefined) next(metadata);
        else call.sendStatus(toGrpcStatus(tooMany()));
      })
      // Called at the end of every call, whatever its outcome.
      .withOnCancel(() => {
        leave?.();
        stopReceiving(call);
      })
      .build();
    return new ServerInterceptingCall(call, { start: (next) => next(listener) });
  };

  return ({ path }, call) => {
    const method = methods.get(path);
    return method === undefined ? open(call) : guarded(path, method, call);
  };
};
