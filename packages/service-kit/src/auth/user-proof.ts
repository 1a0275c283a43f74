/** Credentials of an external caller. */
export type UserProof =
  | {
      readonly kind: 'api-key';
      readonly apiKey: string;
      /** As below, to limit wrong keys; absent for a key that another service passes on. */
      readonly clientAddress?: string;
    }
  | {
      readonly kind: 'basic';
      readonly username: string;
      readonly password: string;
      /** Address of the client, used to limit wrong passwords; empty if unknown. */
      readonly clientAddress: string;
    };

/** Maximum length of a header; a longer one is malformed. */
const MAX_PROOF_LENGTH = 1_000;

/**
 * Reads the credentials from headers; an API key takes precedence over Basic.
 * @returns undefined if they are missing or malformed
 */
export const readUserProof = (
  apiKey: string | undefined,
  authorization: string | undefined,
  clientAddress: string,
): UserProof | undefined => {
  if (apiKey !== undefined)
    return apiKey === '' || apiKey.length > MAX_PROOF_LENGTH ? undefined : { kind: 'api-key', apiKey, clientAddress };
  if (authorization === undefined || authorization.length > MAX_PROOF_LENGTH) return undefined;
  const encoded = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(authorization)?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1) return undefined;
  return { kind: 'basic', username: text.slice(0, colon), password: text.slice(colon + 1), clientAddress };
};
