import { isTooDeep } from '@weft/service-kit/json';

/** Untrusted data cannot be read or written; the message is for the user. */
export class FormatError extends Error {
  constructor(message: string, options?: { readonly cause: unknown }) {
    super(message, options);
    this.name = 'FormatError';
  }
}

/**
 * The reason why processing untrusted data failed, for the user. Replaces the runtime errors that a library throws on
 * damaged data, which mean nothing to users.
 */
export function reasonOf(error: unknown): string {
  if (isTooDeep(error)) return TOO_DEEP;
  if ([TypeError, ReferenceError, RangeError].some((kind) => error instanceof kind)) return DAMAGED;
  return error instanceof Error ? error.message : String(error);
}

const DAMAGED = 'The data is damaged or in another format than expected.';
const TOO_DEEP = 'The data is nested too deeply.';
