import { InvalidRequest } from '@weft/service-kit/errors';
import type { UserProof } from '@weft/service-kit/auth';
import type { CountedUser, VerifyApiKey } from './verify-api-key';
import type { VerifyBasic } from './verify-basic';

/** Verifies either kind of proof for `count` requests. @throws Unauthorized, InvalidRequest */
export type VerifyProof = (proof: UserProof, count: number) => Promise<CountedUser>;

/** Limit of requests per verification. */
const MAX_COUNT = 10_000;

/** Creates the verification of both kinds of proof. */
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
