import { withStore } from '@weft/service-kit/mongo';
import type { Connection } from 'mongoose';

interface Index {
  readonly key: Readonly<Record<string, 1 | -1>>;
  readonly name: string;
  readonly unique?: true;
  readonly partialFilterExpression?: Readonly<Record<string, unknown>>;
  readonly expireAfterSeconds?: number;
}

const expiring: Index = { key: { expireAt: 1 }, name: 'expireAt', expireAfterSeconds: 0 };

/** Every index besides `_id`, by collection. */
export const INDEXES: Readonly<Record<string, readonly Index[]>> = {
  credentials: [{ key: { 'sealed.kid': 1, _id: 1 }, name: 'sealedBy' }],
  users: [
    { key: { email: 1 }, name: 'email', unique: true },
    { key: { role: 1 }, name: 'onlyOwner', unique: true, partialFilterExpression: { role: 'owner' } },
  ],
  apiKeys: [
    { key: { hash: 1 }, name: 'hash', unique: true },
    { key: { userId: 1, _id: -1 }, name: 'userId' },
    { key: { kid: 1 }, name: 'kid' },
    { key: { userId: 1, slot: 1 }, name: 'slot', unique: true, partialFilterExpression: { slot: { $exists: true } } },
    {
      key: { source: 1 },
      name: 'onlyEnvironmentKey',
      unique: true,
      partialFilterExpression: { source: 'environment' },
    },
  ],
  rateWindows: [expiring],
  sessions: [{ key: { userId: 1, createdAt: -1 }, name: 'userId' }, expiring],
  signInWindows: [expiring],
  audit: [expiring],
};

/** Creates missing indexes. Several replicas may do so concurrently. */
export const createIndexes = async (connection: Connection): Promise<void> => {
  for (const [collection, indexes] of Object.entries(INDEXES)) {
    await withStore(() =>
      connection.collection(collection).createIndexes(indexes.map((index) => ({ ...index, key: { ...index.key } }))),
    );
  }
};
