import type { ApiKey as ApiKeyMessage, ApiKeyServiceService, VerifyApiKeyRequest } from '@weft/proto/identity';
import type { UserProof } from '@weft/service-kit/auth';
import { InvalidRequest, Unauthorized } from '@weft/service-kit/errors';
import type { Handlers } from '@weft/service-kit/grpc';
import type { UseCases } from '../compose';
import type { ApiKey } from '../domain/api-keys/api-key';
import { projectsToEdit, projectsToRead } from '../domain/ownership/user';
import { principalOf } from './access';
import { toRoleMessage } from './user-message';

/** Converts a key without its hash. */
export const toApiKeyMessage = ({ id, name, createdAt, expiresAt, scopes, lastUsedAt }: ApiKey): ApiKeyMessage => ({
  id,
  name,
  createdAt,
  expiresAt,
  scopes: [...(scopes ?? [])],
  lastUsedAt,
});

const fromProofMessage = (proof: VerifyApiKeyRequest['proof']): UserProof => {
  if (proof === undefined)
    throw new InvalidRequest('The proof is missing.', [{ field: 'proof', message: 'must be api_key or basic.' }]);
  return proof.$case === 'apiKey' ? { kind: 'api-key', apiKey: proof.value } : { kind: 'basic', ...proof.value };
};

/** Handlers of ApiKeyService. */
export const apiKeyHandlers = (useCases: UseCases): Handlers<typeof ApiKeyServiceService> => ({
  createApiKey: async ({ name, expiresAt, scopes }, context) => {
    const { apiKey, value } = await useCases.createApiKey(principalOf(context), {
      name,
      expiresAt,
      scopes,
      id: context.createdId,
    });
    return { apiKey: toApiKeyMessage(apiKey), value };
  },
  listApiKeys: async (_, context) => ({
    apiKeys: (await useCases.listApiKeys(principalOf(context).userId)).map(toApiKeyMessage),
  }),
  deleteApiKey: async ({ apiKeyId }, context) => {
    const user = principalOf(context);
    await useCases.deleteApiKey(user, user.userId, apiKeyId);
    return {};
  },
  verifyApiKey: async ({ proof, count, knowsScopes }) => {
    const { user, allowance, scopes = [], apiKeyId } = await useCases.verifyProof(fromProofMessage(proof), count);
    // A caller that does not know scopes would grant everything the role permits.
    if (scopes.length > 0 && !knowsScopes) throw new Unauthorized();
    return {
      userId: user.id,
      email: user.email,
      role: toRoleMessage(user.role),
      ...allowance,
      scopes: [...scopes],
      projectIds: [...projectsToEdit(user)],
      readProjectIds: [...projectsToRead(user)],
      apiKeyId,
    };
  },
});
