import type { ApiKeyServiceService, VerifyApiKeyRequest } from '@weft/proto/identity';
import type { UserProof } from '@weft/service-kit/auth';
import { InvalidRequest } from '@weft/service-kit/errors';
import type { Handler } from '@weft/service-kit/grpc';
import type { VerifyProof } from '../domain/api-keys/verify-proof';
import { toRoleMessage } from './user-message';

const toProof = (proof: VerifyApiKeyRequest['proof']): UserProof => {
  if (proof === undefined)
    throw new InvalidRequest('There is nothing to verify.', [{ field: 'proof', message: 'Send api_key or basic.' }]);
  return proof.$case === 'apiKey' ? { kind: 'api-key', apiKey: proof.value } : { kind: 'basic', ...proof.value };
};

/** VerifyApiKey. */
export const verifyApiKeyHandler =
  (verifyProof: VerifyProof): Handler<typeof ApiKeyServiceService.verifyApiKey> =>
  async ({ proof, count }) => {
    const { user, allowance } = await verifyProof(toProof(proof), count);
    return { userId: user.id, email: user.email, role: toRoleMessage(user.role), ...allowance };
  };
