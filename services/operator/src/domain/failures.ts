/** A call to Weft or to the API server that had no success, by what to do about it. */
export type Failure =
  | { readonly kind: 'unavailable'; readonly message: string; readonly retryAfterMs?: number }
  | { readonly kind: 'limited'; readonly message: string; readonly retryAfterMs: number }
  /** The key is missing, deleted or expired. */
  | { readonly kind: 'no-key'; readonly message: string }
  | { readonly kind: 'forbidden'; readonly message: string }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'not-runnable'; readonly message: string }
  | { readonly kind: 'too-large'; readonly message: string }
  /** Changed since it was read: read it again. */
  | { readonly kind: 'outdated'; readonly message: string }
  | { readonly kind: 'not-found'; readonly message: string }
  | { readonly kind: 'key-taken'; readonly message: string }
  | { readonly kind: 'path-taken'; readonly message: string }
  | { readonly kind: 'in-use'; readonly message: string }
  /** Weft lacks something that the operator needs. */
  | { readonly kind: 'too-old'; readonly message: string };

/** An error with a failure. */
export class Failed extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message);
    this.name = 'Failed';
  }
}

/** The failure of an error. Errors without one are faults of the operator or its network: worth another attempt. */
export const failureOf = (error: unknown): Failure =>
  error instanceof Failed
    ? error.failure
    : { kind: 'unavailable', message: error instanceof Error ? error.message : String(error) };
