import type { Json } from './json';

export const PARSE_ERROR = -32_700;
export const INVALID_REQUEST = -32_600;
export const METHOD_NOT_FOUND = -32_601;
export const INVALID_PARAMS = -32_602;
export const INTERNAL_ERROR = -32_603;
/** Headers that differ from the body (2026-07-28). */
export const HEADER_MISMATCH = -32_020;
/** A protocol version that is not served (2026-07-28). */
export const UNSUPPORTED_VERSION = -32_022;

/** An error of the protocol. Failures of a tool are results instead, so that the model sees them. */
export class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
    /** Status of a response that consists of this error alone. */
    readonly status = 200,
    readonly data?: Json,
  ) {
    super(message);
    this.name = 'RpcError';
  }
}
