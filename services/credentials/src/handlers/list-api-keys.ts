import type { ApiKeyServiceService } from '@weft/proto/identity';
import type { Handler } from '@weft/service-kit/grpc';
import type { ListApiKeys } from '../domain/api-keys/list-api-keys';
import { toApiKeyMessage } from './api-key-message';
import { principalOf } from './principal';

/** ListApiKeys. */
export const listApiKeysHandler =
  (listApiKeys: ListApiKeys): Handler<typeof ApiKeyServiceService.listApiKeys> =>
  async (_, context) => ({ apiKeys: (await listApiKeys(principalOf(context))).map(toApiKeyMessage) });
