import { deleteMatching, isDuplicateKey, oneByOne, withStore } from '@weft/service-kit/mongo';
import type { Scope } from '@weft/service-kit/auth';
import { Schema, trusted, type Connection } from 'mongoose';
import type { ApiKey, ApiKeyStore, KeyHolder } from '../domain/api-keys/api-key';
import { queries } from './queries';

interface ApiKeyDocument {
  _id: string;
  userId: string;
  name: string;
  hash: string;
  kid: string;
  /** Absent in the key set by the environment, which has `source` instead. */
  slot?: number;
  source?: 'environment';
  createdAt: Date;
  expiresAt?: Date;
  scopes?: Scope[];
  lastUsedAt?: Date;
  /** Long after the expiry, until which lists still show the key. */
  expireAt?: Date;
}

const string = { type: String, required: true } as const;

const apiKeySchema = new Schema<ApiKeyDocument>(
  {
    _id: string,
    userId: string,
    name: string,
    hash: string,
    kid: string,
    slot: Number,
    source: String,
    createdAt: { type: Date, required: true },
    expiresAt: Date,
    scopes: { type: [String], default: undefined },
    lastUsedAt: Date,
    expireAt: Date,
  },
  { collection: 'apiKeys', versionKey: false, strict: 'throw' },
);

const modelOf = (connection: Connection) => connection.model('ApiKey', apiKeySchema);

type ApiKeyModel = ReturnType<typeof modelOf>;

/** Fields of a key without its hash. */
const SHOWN = 'userId name createdAt expiresAt scopes lastUsedAt';

/** Days for which an expired key is still listed. */
const LISTED_DAYS = 30;
const DAY_MS = 86_400_000;

type Limits = Pick<ApiKeyDocument, 'expiresAt' | 'scopes' | 'lastUsedAt'>;

const limitsOf = ({ expiresAt, scopes, lastUsedAt }: Limits): Pick<ApiKey, 'expiresAt' | 'scopes' | 'lastUsedAt'> => ({
  ...(expiresAt === undefined ? {} : { expiresAt }),
  ...(scopes === undefined ? {} : { scopes }),
  ...(lastUsedAt === undefined ? {} : { lastUsedAt }),
});

const toApiKey = ({
  _id,
  userId,
  name,
  createdAt,
  ...limits
}: Pick<ApiKeyDocument, '_id' | 'userId' | 'name' | 'createdAt'> & Limits): ApiKey => ({
  id: _id,
  userId,
  name,
  createdAt,
  ...limitsOf(limits),
});

const toHolder = ({
  _id,
  userId,
  hash,
  ...limits
}: Pick<ApiKeyDocument, '_id' | 'userId' | 'hash'> & Limits): KeyHolder => ({
  id: _id,
  userId,
  hash,
  ...limitsOf(limits),
});

const expiryOf = ({ expiresAt }: Pick<ApiKey, 'expiresAt'>): Pick<ApiKeyDocument, 'expireAt'> =>
  expiresAt === undefined ? {} : { expireAt: new Date(expiresAt.getTime() + LISTED_DAYS * DAY_MS) };

/** An index allows only one key from the environment. */
const replaceEnvironmentKey = async (
  model: ApiKeyModel,
  { id, ...key }: Parameters<ApiKeyStore['putEnvironmentKey']>[0],
  known: readonly string[],
): Promise<void> => {
  const { filter, hint } = queries.environmentKey();
  const existing = await model.findOne(filter).hint(hint).select('hash').lean();
  if (existing !== null && known.includes(existing.hash)) {
    await model.updateOne({ _id: existing._id }, { $set: { hash: key.hash, kid: key.kid } });
    return;
  }
  if (existing !== null) await deleteMatching(model, { _id: existing._id });
  await model.create({ _id: id, ...key, source: 'environment' });
};

export const createApiKeyStore = (connection: Connection): ApiKeyStore => {
  const model = modelOf(connection);
  return {
    insert: ({ id, ...key }) =>
      oneByOne(`apiKeys ${key.userId}`, () =>
        withStore(async () => {
          try {
            await model.updateOne({ _id: id }, { $setOnInsert: { ...key, ...expiryOf(key) } }, { upsert: true });
            return true;
          } catch (error) {
            if (isDuplicateKey(error)) return false;
            throw error;
          }
        }),
      ),
    listOf: (userId) =>
      withStore(async () => {
        const { filter, sort } = queries.keysOfUser(userId);
        return (await model.find(filter).sort(sort).limit(1_000).select(SHOWN).lean()).map(toApiKey);
      }),
    find: (id, userId) =>
      withStore(async () => {
        const found = await model.findOne({ _id: id, userId }).select(SHOWN).lean();
        return found === null ? undefined : toApiKey(found);
      }),
    slotsOf: (userId) =>
      withStore(async () => {
        const found = await model.find(queries.keysOfUser(userId).filter).select('slot').lean();
        return found.flatMap(({ slot }) => (slot === undefined ? [] : [slot]));
      }),
    remove: (id, userId) => withStore(async () => (await deleteMatching(model, { _id: id, userId })) > 0),
    removeOf: (userId) =>
      withStore(async () => {
        await deleteMatching(model, queries.keysOfUser(userId).filter);
      }),
    findByHashes: (hashes) =>
      withStore(async () => {
        const read = 'userId hash expiresAt scopes lastUsedAt';
        return (await model.find(queries.keysByHash(hashes).filter).select(read).lean()).map(toHolder);
      }),
    rehash: (id, from, { hash, kid }) =>
      withStore(async () => {
        await model.updateOne({ _id: id, hash: from }, { $set: { hash, kid } });
      }),
    setLastUsed: (ids, at, unlessAfter) =>
      withStore(async () => {
        const due = { _id: trusted({ $in: ids }), lastUsedAt: trusted({ $not: { $gt: unlessAfter } }) };
        await model.updateMany(due, { $set: { lastUsedAt: at } });
      }),
    countByKid: (kid) => withStore(() => model.countDocuments(queries.keysByKid(kid).filter)),
    putEnvironmentKey: (key, known) =>
      withStore(async () => {
        try {
          await replaceEnvironmentKey(model, key, known);
        } catch (error) {
          // Another replica starting with the same key was faster.
          if (!isDuplicateKey(error)) throw error;
        }
      }),
  };
};
