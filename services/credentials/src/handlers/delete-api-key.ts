import type { ApiKeyServiceService } from '@weft/proto/identity';
import type { Handler } from '@weft/service-kit/grpc';
import type { DeleteApiKey } from '../domain/api-keys/delete-api-key';
import { principalOf } from './principal';

/** DeleteApiKey. */
export const deleteApiKeyHandler =
  (deleteApiKey: DeleteApiKey): Handler<typeof ApiKeyServiceService.deleteApiKey> =>
  async ({ apiKeyId }, context) => {
    await deleteApiKey(principalOf(context), apiKeyId);
    return {};
  };
