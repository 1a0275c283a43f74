import type { Principal } from '@weft/service-kit/auth';
import type { ApiKey, ApiKeyStore } from './api-key';

/** The keys of the calling user, newest first. */
export type ListApiKeys = (user: Principal) => Promise<readonly ApiKey[]>;

/** Makes the use case. */
export const createListApiKeys =
  ({ listOf }: Pick<ApiKeyStore, 'listOf'>): ListApiKeys =>
  ({ userId }) =>
    listOf(userId);
