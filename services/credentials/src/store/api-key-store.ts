import { isDuplicateKey, withStore } from '@weft/service-kit/mongo';
import { Schema, type Connection } from 'mongoose';
import type { ApiKey, ApiKeyStore } from '../domain/api-keys/api-key';
import { queries } from './queries';

/** A document of the collection `apiKeys`. */
interface ApiKeyDocument {
  _id: string;
  userId: string;
  name: string;
  hash: string;
  kid: string;
  /** Absent in the key given by the environment, which has `source` instead. */
  slot?: number;
  source?: 'environment';
  createdAt: Date;
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
  },
  { collection: 'apiKeys', versionKey: false, strict: 'throw' },
);

const modelOf = (connection: Connection) => connection.model('ApiKey', apiKeySchema);

type ApiKeyModel = ReturnType<typeof modelOf>;

const toApiKey = ({
  _id,
  userId,
  name,
  createdAt,
}: Pick<ApiKeyDocument, '_id' | 'userId' | 'name' | 'createdAt'>): ApiKey => ({ id: _id, userId, name, createdAt });

/** An index allows only one key of the environment. */
const replaceEnvironmentKey = async (
  model: ApiKeyModel,
  { id, ...key }: Parameters<ApiKeyStore['putEnvironmentKey']>[0],
  known: readonly string[],
): Promise<void> => {
  const existing = await model.findOne(queries.environmentKey().filter).select('hash').lean();
  if (existing !== null && known.includes(existing.hash)) {
    await model.updateOne({ _id: existing._id }, { $set: { hash: key.hash, kid: key.kid } });
    return;
  }
  if (existing !== null) await model.deleteOne({ _id: existing._id });
  await model.create({ _id: id, ...key, source: 'environment' });
};

/** API keys in the store. */
export const createApiKeyStore = (connection: Connection): ApiKeyStore => {
  const model = modelOf(connection);
  return {
    insert: ({ id, ...key }) =>
      withStore(async () => {
        try {
          await model.updateOne({ _id: id }, { $setOnInsert: key }, { upsert: true });
          return true;
        } catch (error) {
          if (isDuplicateKey(error)) return false;
          throw error;
        }
      }),
    listOf: (userId) =>
      withStore(async () => {
        const { filter, sort } = queries.keysOfUser(userId);
        return (await model.find(filter).sort(sort).limit(1_000).select('userId name createdAt').lean()).map(toApiKey);
      }),
    slotsOf: (userId) =>
      withStore(async () => {
        const found = await model.find(queries.keysOfUser(userId).filter).select('slot').lean();
        return found.flatMap(({ slot }) => (slot === undefined ? [] : [slot]));
      }),
    remove: (id, userId) => withStore(async () => (await model.deleteOne({ _id: id, userId })).deletedCount === 1),
    removeOf: (userId) =>
      withStore(async () => {
        await model.deleteMany(queries.keysOfUser(userId).filter);
      }),
    findByHashes: (hashes) =>
      withStore(async () => {
        const found = await model.find(queries.keysByHash(hashes).filter).select('userId hash').lean();
        return found.map(({ _id, userId, hash }) => ({ id: _id, userId, hash }));
      }),
    rehash: (id, from, { hash, kid }) =>
      withStore(async () => {
        await model.updateOne({ _id: id, hash: from }, { $set: { hash, kid } });
      }),
    countByKid: (kid) => withStore(() => model.countDocuments(queries.keysByKid(kid).filter)),
    putEnvironmentKey: (key, known) =>
      withStore(async () => {
        try {
          await replaceEnvironmentKey(model, key, known);
        } catch (error) {
          // Another replica that starts with the same key was faster.
          if (!isDuplicateKey(error)) throw error;
        }
      }),
  };
};
