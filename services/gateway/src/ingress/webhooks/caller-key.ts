import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Headers in which callers prove who they are, to the webhook or to the workflow itself. */
const PROOF_HEADERS = ['authorization', 'proxy-authorization', 'cookie', 'x-api-key', 'api-key', 'x-auth-token'];

/** Claims that differ between two tokens of one caller. */
const TOKEN_CLAIMS = new Set(['iat', 'exp', 'nbf', 'jti']);

/** How a caller was admitted. */
export interface CallerProof {
  readonly authentication: string;
  readonly credentialId: string;
  /** JSON text of the claims of its token; empty if there is none. */
  readonly claimsJson: string;
  /** Lower-case name of the header that carried the secret; empty if there is none. */
  readonly secretHeader: string;
}

const stableClaims = (claimsJson: string): readonly (readonly [string, unknown])[] => {
  const claims: unknown = JSON.parse(claimsJson);
  return Object.entries(typeof claims === 'object' && claims !== null ? claims : {})
    .filter(([name]) => !TOKEN_CLAIMS.has(name))
    .sort(([one], [other]) => (one < other ? -1 : 1));
};

/**
 * The identity of a caller among all who may call a webhook: the claims of its token, or else the headers with its
 * proofs. A signature differs with every attempt, and only the holder of the secret can make one, so its header does
 * not count. Empty for a caller without any proof.
 */
export const callerOf = (headers: IncomingMessage['headers'], proof: CallerProof | undefined): string => {
  const { authentication = '', credentialId = '', claimsJson = '', secretHeader = '' } = proof ?? {};
  if (claimsJson !== '') {
    const claims = stableClaims(claimsJson);
    if (claims.length > 0) return JSON.stringify([authentication, credentialId, claims]);
  }
  const isSigned = authentication === 'signature';
  const names = new Set([...PROOF_HEADERS, ...(secretHeader === '' ? [] : [secretHeader])]);
  if (isSigned) names.delete(secretHeader);
  const proofs = [...names].flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [[name, String(value)]];
  });
  return proof === undefined && proofs.length === 0 ? '' : JSON.stringify([authentication, credentialId, proofs]);
};

/**
 * The key under which a webhook call counts as repeated: the same key from another caller is another request. It begins
 * with a character that no Idempotency-Key may contain, so that no caller can send the key of another one.
 */
export const keyOfCaller = (idempotencyKey: string, caller: string): string =>
  idempotencyKey === '' || caller === ''
    ? idempotencyKey
    : `¦${createHash('sha256')
        .update(JSON.stringify([caller, idempotencyKey]))
        .digest('base64url')}`;
