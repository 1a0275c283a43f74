import type { Principal } from '@weft/service-kit/auth';
import { InvalidRequest, type FieldError } from '@weft/service-kit/errors';
import { isUuid } from '@weft/service-kit/ids';
import type { RecordAudit } from '../audit';
import { ApiKeyNotFound, TooManyApiKeys } from '../errors';
import type { ApiKey, ApiKeyStore, StoredApiKey } from './api-key';
import { makeKeyValue, type HashKey } from './key-format';
import { readScopes } from './scopes';

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

/** Fields of a new key. */
export interface ApiKeyFields {
  readonly name: string;
  /** Absent: it does not expire. */
  readonly expiresAt: Date | undefined;
  /** Names of scopes; empty: everything the role of the user permits. */
  readonly scopes: readonly string[];
  /** Its id; undefined: a new one. */
  readonly id?: string | undefined;
}

/** Use cases of the API keys of a user. */
export interface ApiKeyUseCases {
  /** Creates a key. @throws InvalidRequest, TooManyApiKeys */
  readonly createApiKey: (user: Principal, fields: ApiKeyFields) => Promise<NewApiKey>;
  /** Lists the keys, newest first. */
  readonly listApiKeys: (userId: string) => Promise<readonly ApiKey[]>;
  /**
   * Deletes a key of a user, which is refused from then on.
   * @param userId the user who must have the key
   * @throws ApiKeyNotFound
   */
  readonly deleteApiKey: (actor: Principal, userId: string, id: string) => Promise<void>;
}

/** Maximum number of keys per user. */
export const MAX_KEYS = 100;

const MAX_NAME_LENGTH = 100;

const YEAR_MS = 365 * 86_400_000;
const MAX_YEARS = 10;

/** Concurrent creations may pick the same slot; each attempt picks another one. */
const MAX_TRIES = 20;

/** Picks a free slot at random, so that concurrent creations rarely collide. */
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

const nameErrors = (name: string): readonly FieldError[] =>
  name.trim() === '' || name.length > MAX_NAME_LENGTH
    ? [{ field: 'name', message: `must have 1 to ${MAX_NAME_LENGTH} characters.` }]
    : [];

const expiryErrors = (expiresAt: Date | undefined, now: Date): readonly FieldError[] => {
  const left = expiresAt === undefined ? YEAR_MS : expiresAt.getTime() - now.getTime();
  return left > 0 && left <= MAX_YEARS * YEAR_MS
    ? []
    : [{ field: 'expiresAt', message: `must be in the future, and at most ${MAX_YEARS} years from now.` }];
};

/** The permissions of a new key for its audit record. */
const describe = ({ expiresAt, scopes }: ApiKey): Readonly<Record<string, string>> => ({
  ...(expiresAt === undefined ? {} : { expiresAt: expiresAt.toISOString() }),
  ...(scopes === undefined ? {} : { scopes: scopes.join(' ') }),
});

export const apiKeyUseCases = ({ apiKeys, hashKey, recordAudit, newId, clock }: ApiKeyPorts): ApiKeyUseCases => ({
  createApiKey: async ({ userId, role }, { name, expiresAt, scopes: names, id = newId() }) => {
    const createdAt = clock();
    const scopes = readScopes(names, role);
    const errors = [...nameErrors(name), ...expiryErrors(expiresAt, createdAt), ...scopes.errors];
    if (errors.length > 0) throw new InvalidRequest('The API key cannot be created.', errors);
    const value = makeKeyValue();
    const [hash] = hashKey(value);
    const apiKey: ApiKey = {
      id,
      userId,
      name,
      createdAt,
      ...(expiresAt === undefined ? {} : { expiresAt }),
      ...(scopes.granted.length === 0 ? {} : { scopes: scopes.granted }),
    };
    await insertIntoFreeSlot(apiKeys, { ...apiKey, ...hash });
    await recordAudit({ action: 'api-key.create', actor: userId, about: { apiKeyId: apiKey.id, ...describe(apiKey) } });
    return { apiKey, value };
  },
  listApiKeys: (userId) => apiKeys.listOf(userId),
  deleteApiKey: async (actor, userId, id) => {
    if (!isUuid(id) || !(await apiKeys.remove(id, userId))) throw new ApiKeyNotFound(id);
    await recordAudit({ action: 'api-key.delete', actor: actor.userId, about: { apiKeyId: id, userId } });
  },
});
