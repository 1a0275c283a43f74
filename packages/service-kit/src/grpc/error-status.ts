import { status as GrpcCode, Metadata, type ServiceError as GrpcError, type StatusObject } from '@grpc/grpc-js';
import { BadRequest, ErrorInfo, RetryInfo } from '@weft/proto/error-details';
import { Status } from '@weft/proto/rpc-status';
import { InternalError, ServiceError, TimedOut, Unavailable, type ErrorKind, type FieldError } from '../errors';
import type { Logger } from '../logging';

/** Metadata key of a failed call's google.rpc.Status. */
export const DETAILS_KEY = 'grpc-status-details-bin';
const DOMAIN = 'weft';

/** gRPC code of each kind of error. The only such mapping. */
const CODE_OF: Readonly<Record<ErrorKind, GrpcCode>> = {
  invalid: GrpcCode.INVALID_ARGUMENT,
  unauthenticated: GrpcCode.UNAUTHENTICATED,
  forbidden: GrpcCode.PERMISSION_DENIED,
  'not-found': GrpcCode.NOT_FOUND,
  conflict: GrpcCode.ALREADY_EXISTS,
  precondition: GrpcCode.FAILED_PRECONDITION,
  limited: GrpcCode.RESOURCE_EXHAUSTED,
  'too-large': GrpcCode.OUT_OF_RANGE,
  unavailable: GrpcCode.UNAVAILABLE,
  timeout: GrpcCode.DEADLINE_EXCEEDED,
  internal: GrpcCode.INTERNAL,
};

const KIND_OF = new Map<number, ErrorKind>(Object.entries(CODE_OF).map(([kind, code]) => [code, kind as ErrorKind]));

const any = (typeName: string, value: Uint8Array) => ({
  typeUrl: `type.googleapis.com/${typeName}`,
  value: Buffer.from(value),
});

/** Maximum length of an error message, and maximum bytes of all its fields: they travel in headers. */
const MAX_MESSAGE_LENGTH = 2_000;
const MAX_FIELD_BYTES = 16_000;
const MAX_FIELDS = 50;

/**
 * String for a header. A string cut within a character is no longer valid Unicode, and grpc-js throws on it uncaught.
 */
const headerText = (text: string): string =>
  (text.length > MAX_MESSAGE_LENGTH ? `${text.slice(0, MAX_MESSAGE_LENGTH)}…` : text).toWellFormed();

const headerTexts = (texts: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, headerText(text)]));

/** As many of the fields as fit, but at least the first. */
const fittingFields = (fields: readonly FieldError[]): readonly FieldError[] => {
  let left = MAX_FIELD_BYTES;
  const texts = fields.slice(0, MAX_FIELDS).map(({ field, message }) => ({
    field: headerText(field),
    message: headerText(message),
  }));
  const end = texts.findIndex(({ field, message }) => {
    left -= Buffer.byteLength(field) + Buffer.byteLength(message);
    return left < 0;
  });
  return end === -1 ? texts : texts.slice(0, Math.max(1, end));
};

export const codeOf = ({ kind }: Pick<ServiceError, 'kind'>): GrpcCode => CODE_OF[kind];

/** Converts an error to a google.rpc.Status, for lists whose entries fail individually. */
export const toRpcStatus = (error: ServiceError): Status => {
  const details = [
    any(
      'google.rpc.ErrorInfo',
      ErrorInfo.encode({ reason: error.reason, domain: DOMAIN, metadata: headerTexts(error.details) }).finish(),
    ),
  ];
  if (error.fields.length > 0) {
    const fieldViolations = fittingFields(error.fields).map(({ field, message }) => ({
      field,
      description: message,
      reason: '',
    }));
    details.push(any('google.rpc.BadRequest', BadRequest.encode({ fieldViolations }).finish()));
  }
  if (error.retryAfterSeconds !== undefined) {
    details.push(
      any(
        'google.rpc.RetryInfo',
        RetryInfo.encode({ retryDelay: { seconds: error.retryAfterSeconds, nanos: 0 } }).finish(),
      ),
    );
  }
  return { code: codeOf(error), message: headerText(error.message), details };
};

/** Converts an error to the status that grpc-js sends. */
export const toGrpcStatus = (error: ServiceError): StatusObject => {
  const status = toRpcStatus(error);
  const metadata = new Metadata();
  metadata.set(DETAILS_KEY, Buffer.from(Status.encode(status).finish()));
  return { code: status.code, details: status.message, metadata };
};

/** Converts a google.rpc.Status of a Weft service to its error. */
export const fromRpcStatus = (status: Status): ServiceError => {
  const find = (typeName: string) => status.details.find((detail) => detail.typeUrl.endsWith(`/${typeName}`))?.value;
  const info = find('google.rpc.ErrorInfo');
  const kind = KIND_OF.get(status.code);
  if (info === undefined || kind === undefined)
    return new InternalError(new Error(`gRPC status ${status.code}: ${status.message}`));
  const { reason, metadata } = ErrorInfo.decode(info);
  const badRequest = find('google.rpc.BadRequest');
  const retry = find('google.rpc.RetryInfo');
  const retryAfterSeconds = retry === undefined ? undefined : RetryInfo.decode(retry).retryDelay?.seconds;
  return new ServiceError({
    reason,
    kind,
    message: status.message,
    details: metadata,
    fields:
      badRequest === undefined
        ? []
        : BadRequest.decode(badRequest).fieldViolations.map(({ field, description }) => ({
            field,
            message: description,
          })),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
};

/** How grpc-js reports a stream whose connection ended without an HTTP/2 error before the status arrived. */
const ENDED_WITHOUT_STATUS = /^Received RST_STREAM with code \d+ \(Call ended without gRPC status\)$/;

const isLost = ({ code, details }: GrpcError): boolean =>
  code === GrpcCode.UNAVAILABLE ||
  code === GrpcCode.CANCELLED ||
  (code === GrpcCode.INTERNAL && ENDED_WITHOUT_STATUS.test(details));

/**
 * Converts the error of a failed call: the status of the peer, or a transport error. CANCELLED does not come from the
 * caller, which ignores the outcome of calls it cancels, but from a server that is forced to stop and resets its
 * streams with the HTTP/2 code CANCEL.
 */
export const fromGrpcError = (error: GrpcError, service: string): ServiceError => {
  const bytes = error.metadata?.get(DETAILS_KEY)[0];
  if (Buffer.isBuffer(bytes)) return fromRpcStatus(Status.decode(bytes));
  if (isLost(error)) return new Unavailable(`The ${service} service cannot be reached. Try again.`, error);
  if (error.code === GrpcCode.DEADLINE_EXCEEDED)
    return new TimedOut(`The ${service} service did not answer in time.`, error);
  return new InternalError(error);
};

/** Logs a failed call: an internal error with its cause, any other at level debug. */
export const reportFailure = (logger: Logger, path: string, error: ServiceError): void => {
  const isInternal = error.kind === 'internal';
  logger[isInternal ? 'error' : 'debug'](
    { method: path, reason: error.reason, err: isInternal ? (error.cause ?? error) : undefined },
    'call failed',
  );
};

/** True if the peer does not know the method, because it runs an earlier release. */
export const isUnimplemented = (error: unknown): boolean => {
  const cause = error instanceof InternalError ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && cause.code === GrpcCode.UNIMPLEMENTED;
};
