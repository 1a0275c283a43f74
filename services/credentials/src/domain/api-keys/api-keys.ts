import type { Principal } from '@weft/service-kit/auth';
import { InvalidRequest } from '@weft/service-kit/errors';
import { isUuid } from '@weft/service-kit/ids';
import type { RecordAudit } from '../audit';
import { ApiKeyNotFound, TooManyApiKeys } from '../errors';
import type { ApiKey, ApiKeyStore, StoredApiKey } from './api-key';
import { makeKeyValue, type HashKey } from './key-format';

/** Dependencies of the use cases. */
export interface ApiKeyPorts {
  readonly apiKeys: Pick<ApiKeyStore, 'insert' | 'slotsOf' | 'remove' | 'listOf'>;
  readonly hashKey: HashKey;
  readonly recordAudit: RecordAudit;
  readonly newId: () => string;
  readonly clock: () => Date;
}

/** A new key with its value, which is never shown again. */
export interface NewApiKey {
  readonly apiKey: ApiKey;
  readonly value: string;
}

/** Use cases of the API keys of a user. */
export interface ApiKeyUseCases {
  /** Creates a key. @throws InvalidRequest, TooManyApiKeys */
  readonly createApiKey: (user: Principal, name: string) => Promise<NewApiKey>;
  /** Lists the keys, newest first. */
  readonly listApiKeys: (userId: string) => Promise<readonly ApiKey[]>;
  /**
   * Deletes a key of a user; it is refused from then on.
   * @param userId whose key it must be
   * @throws ApiKeyNotFound
   */
  readonly deleteApiKey: (actor: Principal, userId: string, id: string) => Promise<void>;
}

/** Limit of keys per user. */
export const MAX_KEYS = 100;

const MAX_NAME_LENGTH = 100;

/** Keys created at the same moment may pick the same slot; each try picks another one. */
const MAX_TRIES = 20;

/** Picks a free slot at random, so that keys created at the same moment rarely collide. */
const freeSlot = (taken: readonly number[]): number => {
  const free = Array.from({ length: MAX_KEYS }, (_, slot) => slot).filter((slot) => !taken.includes(slot));
  const slot = free[Math.floor(Math.random() * free.length)];
  if (slot === undefined) throw new TooManyApiKeys(MAX_KEYS);
  return slot;
};

const insertIntoFreeSlot = async (apiKeys: ApiKeyPorts['apiKeys'], key: Omit<StoredApiKey, 'slot'>): Promise<void> => {
  for (let tried = 0; tried < MAX_TRIES; tried += 1) {
    if (await apiKeys.insert({ ...key, slot: freeSlot(await apiKeys.slotsOf(key.userId)) })) return;
  }
  throw new TooManyApiKeys(MAX_KEYS);
};

/** The use cases over their ports. */
export const apiKeyUseCases = ({ apiKeys, hashKey, recordAudit, newId, clock }: ApiKeyPorts): ApiKeyUseCases => ({
  createApiKey: async ({ userId }, name) => {
    if (name.trim() === '' || name.length > MAX_NAME_LENGTH) {
      throw new InvalidRequest('The API key cannot be created.', [
        { field: 'name', message: `must have 1 to ${MAX_NAME_LENGTH} characters.` },
      ]);
    }
    const value = makeKeyValue();
    const [hash] = hashKey(value);
    const apiKey = { id: newId(), userId, name, createdAt: clock() };
    await insertIntoFreeSlot(apiKeys, { ...apiKey, ...hash });
    await recordAudit({ action: 'api-key.create', actor: userId, about: { apiKeyId: apiKey.id } });
    return { apiKey, value };
  },
  listApiKeys: (userId) => apiKeys.listOf(userId),
  deleteApiKey: async (actor, userId, id) => {
    if (!isUuid(id) || !(await apiKeys.remove(id, userId))) throw new ApiKeyNotFound(id);
    await recordAudit({ action: 'api-key.delete', actor: actor.userId, about: { apiKeyId: id, userId } });
  },
});
