import type { JsonObject } from '@weft/service-kit/json';

/** The scheme of a credential of type webhookSignature that follows Standard Webhooks. */
export const STANDARD = 'standard';

const FORM = /^whsec_([A-Za-z0-9+/]+={0,2})$/;
const MIN_BYTES = 24;
const MAX_BYTES = 64;

/** The key in a secret of Standard Webhooks, `whsec_` and Base64; undefined if the secret is malformed. */
export const standardKeyOf = (secret: string): Buffer | undefined => {
  const key = Buffer.from(FORM.exec(secret)?.[1] ?? '', 'base64');
  return key.length >= MIN_BYTES && key.length <= MAX_BYTES ? key : undefined;
};

/** The keys of a credential with this scheme: the current one, and the previous one during a rotation. */
export const standardKeysOf = ({ secret, previousSecret }: JsonObject): readonly Buffer[] =>
  [secret, previousSecret].flatMap((value) => (typeof value === 'string' ? (standardKeyOf(value) ?? []) : []));

/** Bytes that are signed before the body. */
export const standardPrefix = (id: string, timestamp: string): string => `${id}.${timestamp}.`;
