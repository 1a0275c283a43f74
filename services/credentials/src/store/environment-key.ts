import { isDuplicateKey, withStore } from '@weft/service-kit/mongo';
import type { ApiKeyStore } from '../domain/api-keys/api-key';
import type { ApiKeyModel } from './api-key-schema';
import { queries } from './queries';

/** Keeps the one key that comes from the environment; an index allows no second one. */
export const environmentKeyIn = (model: ApiKeyModel): ApiKeyStore['putEnvironmentKey'] => {
  const put: ApiKeyStore['putEnvironmentKey'] = async ({ id, ...key }, known) => {
    const existing = await model.findOne(queries.environmentKey().filter).select('hash').lean();
    if (existing !== null && known.includes(existing.hash)) {
      await model.updateOne({ _id: existing._id }, { $set: { hash: key.hash, kid: key.kid } });
      return;
    }
    if (existing !== null) await model.deleteOne({ _id: existing._id });
    await model.create({ _id: id, ...key, source: 'environment' });
  };
  return (key, known) =>
    withStore(async () => {
      try {
        await put(key, known);
      } catch (error) {
        // Another replica that starts with the same key was faster.
        if (!isDuplicateKey(error)) throw error;
      }
    });
};
