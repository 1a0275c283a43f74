/** Header values of a request by lower-case name; for repeated headers the first counts. */
export type Headers = ReadonlyMap<string, string>;

/**
 * Outcome of checking a request. `missing`: it has no credentials at all; `wrong`: they are invalid; `needs-body`: the
 * headers are valid, and the body decides.
 */
export type AuthOutcome = Granted | NeedsBody | { readonly kind: 'missing' | 'wrong' };

/** The body decides. */
export interface NeedsBody extends Pick<Granted, 'secretHeader'> {
  readonly kind: 'needs-body';
}

/** The request is authentic. */
export interface Granted {
  readonly kind: 'granted';
  /** JSON object of a token's claims; empty if there is no token. */
  readonly claimsJson: string;
  /** Lower-case name of the header that carried the secret. */
  readonly secretHeader: string;
}

/** Granted by the secret in that header; the name in lower case. */
export const grantedBy = (secretHeader: string, claimsJson = ''): Granted => ({
  kind: 'granted',
  claimsJson,
  secretHeader,
});

export const MISSING: AuthOutcome = { kind: 'missing' };

export const WRONG: AuthOutcome = { kind: 'wrong' };
