import { isTooDeep } from '@weft/service-kit/json';

/** Foreign data cannot be read or written; the message is for the user. */
export class FormatError extends Error {
  constructor(message: string, options?: { readonly cause: unknown }) {
    super(message, options);
    this.name = 'FormatError';
  }
}

/**
 * Why work on foreign data failed, for the user. A library that trips over damaged data reports it in the words of the
 * runtime, which say nothing to them.
 */
export function reasonOf(error: unknown): string {
  if (isTooDeep(error)) return TOO_DEEP;
  if ([TypeError, ReferenceError, RangeError].some((kind) => error instanceof kind)) return DAMAGED;
  return error instanceof Error ? error.message : String(error);
}

const DAMAGED = 'The data is damaged, or of another format than was expected.';
const TOO_DEEP = 'The data is nested too deep.';
