import type { ApiKeyServiceService } from '@weft/proto/identity';
import type { Handler } from '@weft/service-kit/grpc';
import type { CreateApiKey } from '../domain/api-keys/create-api-key';
import { toApiKeyMessage } from './api-key-message';
import { principalOf } from './principal';

/** CreateApiKey. */
export const createApiKeyHandler =
  (createApiKey: CreateApiKey): Handler<typeof ApiKeyServiceService.createApiKey> =>
  async ({ name }, context) => {
    const { apiKey, value } = await createApiKey(principalOf(context), name);
    return { apiKey: toApiKeyMessage(apiKey), value };
  };
