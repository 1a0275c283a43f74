import { createHash, randomBytes } from 'node:crypto';

/**
 * A new API key: `weft_`, 32 random bytes in hexadecimal, and 4 hexadecimal digits of checksum, the first of the
 * SHA-256 of the body's text. The rule belongs to `services/credentials/src/domain/api-keys/key-format.ts`; this is the
 * one other place that makes keys, since the first one must exist before that service runs.
 */
export function newApiKey(): string {
  const body = randomBytes(32).toString('hex');
  const checksum = createHash('sha256').update(body).digest('hex').slice(0, 4);
  return `weft_${body}${checksum}`;
}
