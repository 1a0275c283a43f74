import type { Principal } from '@weft/service-kit/auth';
import { InvalidRequest } from '@weft/service-kit/errors';
import type { RecordAudit } from '../audit/audit';
import { TooManyApiKeys } from '../errors';
import type { ApiKey, ApiKeyStore, StoredApiKey } from './api-key';
import { makeKeyValue, type HashKey } from './key-format';

/** What the keys of a user need. */
export interface ApiKeyPorts {
  readonly apiKeys: Pick<ApiKeyStore, 'insert' | 'slotsOf' | 'remove' | 'listOf'>;
  readonly hashKey: HashKey;
  readonly recordAudit: RecordAudit;
  readonly newId: () => string;
  readonly clock: () => Date;
}

/** A new key with its value, which is not to be had again. */
export interface NewApiKey {
  readonly apiKey: ApiKey;
  readonly value: string;
}

/** Makes a key of the calling user. @throws InvalidRequest, TooManyApiKeys */
export type CreateApiKey = (user: Principal, name: string) => Promise<NewApiKey>;

/** Most keys of a user. */
export const MAX_KEYS = 100;

const MAX_NAME_LENGTH = 100;

/** Keys made at the same moment may want the same slot; each try looks again. */
const TRIES = 20;

/** Any free slot, so that keys made at the same moment seldom want the same one. */
const freeSlot = (taken: readonly number[]): number => {
  const free = Array.from({ length: MAX_KEYS }, (_, slot) => slot).filter((slot) => !taken.includes(slot));
  const slot = free[Math.floor(Math.random() * free.length)];
  if (slot === undefined) throw new TooManyApiKeys(MAX_KEYS);
  return slot;
};

/** Makes the use case. */
export const createCreateApiKey = ({ apiKeys, hashKey, recordAudit, newId, clock }: ApiKeyPorts): CreateApiKey => {
  const store = async (key: Omit<StoredApiKey, 'slot'>): Promise<void> => {
    for (let tried = 0; tried < TRIES; tried += 1) {
      if (await apiKeys.insert({ ...key, slot: freeSlot(await apiKeys.slotsOf(key.userId)) })) return;
    }
    throw new TooManyApiKeys(MAX_KEYS);
  };
  return async ({ userId }, name) => {
    if (name.trim() === '' || name.length > MAX_NAME_LENGTH) {
      throw new InvalidRequest('The key cannot be made.', [
        { field: 'name', message: `Give a name of 1 to ${MAX_NAME_LENGTH} characters.` },
      ]);
    }
    const value = makeKeyValue();
    const [hash] = hashKey(value);
    const apiKey = { id: newId(), userId, name, createdAt: clock() };
    await store({ ...apiKey, ...hash });
    await recordAudit({ action: 'api-key.create', actor: userId, about: { apiKeyId: apiKey.id } });
    return { apiKey, value };
  };
};
