/** Header lines of a request by lower-case name; the first of a name counts. */
export type Headers = ReadonlyMap<string, string>;

/** Whether a request proves itself. `missing`: it shows no proof at all. */
export type Verdict = { readonly kind: 'granted'; readonly claimsJson: string } | { readonly kind: 'missing' } | { readonly kind: 'wrong' };

/** It does, and nothing more is known. */
export const GRANTED: Verdict = { kind: 'granted', claimsJson: '' };

/** It shows nothing. */
export const MISSING: Verdict = { kind: 'missing' };

/** What it shows is wrong. */
export const WRONG: Verdict = { kind: 'wrong' };
