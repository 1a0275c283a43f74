import { BadRequest, ErrorInfo, RetryInfo } from '@weft/proto/error-details';
import { Status } from '@weft/proto/rpc-status';

/** What Weft says about a failed call, beyond code and message. */
export interface ErrorDetails {
  /** Such as `WORKFLOW_NOT_FOUND`; docs/errors.md lists all. */
  readonly reason: string;
  /** Ids, such as `workflowId`, and for a failed start `started`: `no`, `unknown` or `yes`. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Invalid fields of the request. */
  readonly fields: readonly { readonly field: string; readonly message: string }[];
  /** Milliseconds after which a retry may succeed; undefined if Weft gives none. */
  readonly retryAfterMs: number | undefined;
}

const DETAILS_KEY = 'grpc-status-details-bin';

interface Readable {
  readonly get: (key: string) => readonly unknown[];
}

// not instanceof: a program may have two copies of grpc-js
const isReadable = (value: unknown): value is Readable =>
  typeof value === 'object' && value !== null && 'get' in value && typeof value.get === 'function';

const statusOf = (error: unknown): Status | undefined => {
  if (typeof error !== 'object' || error === null || !('metadata' in error)) return undefined;
  const [bytes] = isReadable(error.metadata) ? error.metadata.get(DETAILS_KEY) : [];
  return bytes instanceof Uint8Array ? Status.decode(bytes) : undefined;
};

/** Reads the details of an error. @returns undefined if it does not come from Weft, but from the transport */
export const detailsOf = (error: unknown): ErrorDetails | undefined => {
  const status = statusOf(error);
  const find = (type: string): Uint8Array | undefined =>
    status?.details.find(({ typeUrl }) => typeUrl.endsWith(`/${type}`))?.value;
  const info = find('google.rpc.ErrorInfo');
  if (info === undefined) return undefined;
  const { reason, metadata } = ErrorInfo.decode(info);
  const badRequest = find('google.rpc.BadRequest');
  const retryInfo = find('google.rpc.RetryInfo');
  const delay = retryInfo === undefined ? undefined : RetryInfo.decode(retryInfo).retryDelay;
  return {
    reason,
    metadata,
    fields:
      badRequest === undefined
        ? []
        : BadRequest.decode(badRequest).fieldViolations.map(({ field, description }) => ({
            field,
            message: description,
          })),
    retryAfterMs: delay === undefined ? undefined : delay.seconds * 1_000 + delay.nanos / 1_000_000,
  };
};

/**
 * The reason of a failed call, such as `WORKFLOW_NOT_FOUND`. @returns undefined if the error comes from the transport:
 * then the outcome of the call is unknown
 */
export const reasonOf = (error: unknown): string | undefined => detailsOf(error)?.reason;
