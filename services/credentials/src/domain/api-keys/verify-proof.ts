import { InvalidRequest } from '@weft/service-kit/errors';
import type { UserProof } from '@weft/service-kit/auth';
import type { CountedUser, VerifyApiKey } from './verify-api-key';
import type { VerifyBasic } from './verify-basic';

/** Verifies a key or a password for `count` requests. @throws Unauthorized, InvalidRequest */
export type VerifyProof = (proof: UserProof, count: number) => Promise<CountedUser>;

/** Maximum requests per verification. */
const MAX_COUNT = 10_000;

export const createVerifyProof = (verifyApiKey: VerifyApiKey, verifyBasic: VerifyBasic): VerifyProof =>
  async function verifyProof(proof, count) {
    if (count < 1 || count > MAX_COUNT) {
      throw new InvalidRequest('The count is invalid.', [
        { field: 'count', message: `must be from 1 to ${MAX_COUNT}.` },
      ]);
    }
    return proof.kind === 'api-key'
      ? verifyApiKey(proof.apiKey, count)
      : verifyBasic({ email: proof.username, password: proof.password, address: proof.clientAddress }, count);
  };
