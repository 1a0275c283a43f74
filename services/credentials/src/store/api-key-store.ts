import { isDuplicateKey, withStore } from '@weft/service-kit/mongo';
import type { Connection } from 'mongoose';
import type { ApiKey, ApiKeyStore } from '../domain/api-keys/api-key';
import { apiKeyModel, type ApiKeyDocument } from './api-key-schema';
import { environmentKeyIn } from './environment-key';
import { queries } from './queries';

const toApiKey = ({
  _id,
  userId,
  name,
  createdAt,
}: Pick<ApiKeyDocument, '_id' | 'userId' | 'name' | 'createdAt'>): ApiKey => ({ id: _id, userId, name, createdAt });

/** API keys in the store. */
export const createApiKeyStore = (connection: Connection): ApiKeyStore => {
  const model = apiKeyModel(connection);
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
    putEnvironmentKey: environmentKeyIn(model),
  };
};
