import { InvalidRequest } from '@weft/service-kit/errors';
import type { UserProof } from '@weft/service-kit/auth';
import type { CountedUser, VerifyApiKey } from './verify-api-key';
import type { VerifyBasic } from './verify-basic';

/** Verifies whatever a caller shows, for `count` requests. @throws Unauthorized, InvalidRequest */
export type VerifyProof = (proof: UserProof, count: number) => Promise<CountedUser>;

/** Most requests that one verification may stand for. */
const MAX_COUNT = 10_000;

/** Makes the verification of both kinds of proof. */
export const createVerifyProof =
  (verifyApiKey: VerifyApiKey, verifyBasic: VerifyBasic): VerifyProof =>
  async (proof, count) => {
    if (count < 1 || count > MAX_COUNT) {
      throw new InvalidRequest('The requests cannot be counted.', [
        { field: 'count', message: `Count 1 to ${MAX_COUNT} requests.` },
      ]);
    }
    return proof.kind === 'api-key'
      ? verifyApiKey(proof.apiKey, count)
      : verifyBasic(proof.username, proof.password, count);
  };
