import type { Principal } from '@weft/service-kit/auth';
import { isUuid } from '@weft/service-kit/ids';
import { ApiKeyNotFound } from '../errors';
import type { ApiKeyPorts } from './create-api-key';

/** Deletes a key of the calling user; it fails from then on. @throws ApiKeyNotFound, also for another user's key */
export type DeleteApiKey = (user: Principal, id: string) => Promise<void>;

/** Makes the use case. */
export const createDeleteApiKey =
  ({ apiKeys, recordAudit }: Pick<ApiKeyPorts, 'apiKeys' | 'recordAudit'>): DeleteApiKey =>
  async ({ userId }, id) => {
    if (!isUuid(id) || !(await apiKeys.remove(id, userId))) throw new ApiKeyNotFound(id);
    await recordAudit({ action: 'api-key.delete', actor: userId, about: { apiKeyId: id } });
  };
