import { percentEncoded } from '../request/query-string';

/** Replaces a secret in output. */
const MASK = '***';
/**
 * Minimum length of a masked secret. Shorter strings occur everywhere: masking them would hide nothing and garble text.
 */
const MIN_LENGTH = 4;

/** Replaces every occurrence of known secrets, plain, percent-encoded or in Base64. */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const forms = secrets
    .filter((secret) => secret.length >= MIN_LENGTH)
    .flatMap((secret) => [
      secret,
      percentEncoded(secret),
      Buffer.from(secret).toString('base64'),
      JSON.stringify(secret).slice(1, -1),
    ]);
  // Longest first, since one secret may be a part of another.
  const ordered = [...new Set(forms)].sort((a, b) => b.length - a.length);
  return (text) => ordered.reduce((masked, form) => masked.replaceAll(form, MASK), text);
}
