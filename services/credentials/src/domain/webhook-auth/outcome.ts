/** Header lines of a request by lower-case name; the first of a name counts. */
export type Headers = ReadonlyMap<string, string>;

/** Whether a request proves itself. `missing`: it shows no proof at all. */
export type AuthOutcome = Granted | { readonly kind: 'missing' } | { readonly kind: 'wrong' };

/** It does. */
export interface Granted {
  readonly kind: 'granted';
  /** JSON object of a token's claims; empty if there is no token. */
  readonly claimsJson: string;
  /** Name in lower case of the header that carried the secret. */
  readonly secretHeader: string;
}

/** It does, by the secret in that header; the name in lower case. */
export const grantedBy = (secretHeader: string, claimsJson = ''): Granted => ({
  kind: 'granted',
  claimsJson,
  secretHeader,
});

/** It shows nothing. */
export const MISSING: AuthOutcome = { kind: 'missing' };

/** What it shows is wrong. */
export const WRONG: AuthOutcome = { kind: 'wrong' };
