import { AUDIT_INDEXES } from '@weft/service-kit/audit';
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
  credentials: [
    { key: { 'sealed.kid': 1, _id: 1 }, name: 'sealedBy' },
    { key: { ownerId: 1 }, name: 'ownerId' },
  ],
  users: [
    { key: { email: 1 }, name: 'email', unique: true },
    { key: { role: 1 }, name: 'owners', partialFilterExpression: { role: 'owner' } },
    { key: { isFirst: 1 }, name: 'firstOwner', unique: true, partialFilterExpression: { isFirst: true } },
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
    expiring,
  ],
  invitations: [
    { key: { tokenHash: 1 }, name: 'tokenHash', unique: true },
    { key: { email: 1 }, name: 'email' },
    expiring,
  ],
  rateWindows: [expiring],
  sessions: [{ key: { userId: 1, createdAt: -1 }, name: 'userId' }, expiring],
  signInWindows: [expiring],
  audit: AUDIT_INDEXES,
};

/** Indexes of earlier versions that forbid what this one does. */
const OUTDATED = [{ collection: 'users', name: 'onlyOwner' }];

/** Codes of the store: the collection, or the index, does not exist. */
const NOTHING_TO_DROP: readonly unknown[] = [26, 27];

const dropOutdated = async (connection: Connection): Promise<void> => {
  for (const { collection, name } of OUTDATED) {
    try {
      await withStore(() => connection.collection(collection).dropIndex(name));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && NOTHING_TO_DROP.includes(error.code))) throw error;
    }
  }
};

/** Creates missing indexes and drops outdated ones. Several replicas may do so concurrently. */
export const createIndexes = async (connection: Connection): Promise<void> => {
  await dropOutdated(connection);
  for (const [collection, indexes] of Object.entries(INDEXES)) {
    await withStore(() =>
      connection.collection(collection).createIndexes(indexes.map((index) => ({ ...index, key: { ...index.key } }))),
    );
  }
};
