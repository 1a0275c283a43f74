import { AUDIT_INDEXES } from '@weft/service-kit/audit';
import { IDEMPOTENCY_COLLECTION, IDEMPOTENCY_INDEXES } from '@weft/service-kit/idempotency';
import type { Index, Schema } from '@weft/service-kit/mongo';

const expiring: Index = { key: { expireAt: 1 }, name: 'expireAt', expireAfterSeconds: 0 };

/** Every index except `_id`, by collection. */
export const INDEXES: Readonly<Record<string, readonly Index[]>> = {
  [IDEMPOTENCY_COLLECTION]: IDEMPOTENCY_INDEXES,
  credentials: [
    { key: { 'sealed.kid': 1, _id: 1 }, name: 'sealedBy' },
    { key: { ownerId: 1, _id: -1 }, name: 'owner_id' },
    { key: { 'grants.projectId': 1, _id: -1 }, name: 'granted_id' },
    { key: { ownerId: 1, name: 1 }, name: 'owner_name' },
    {
      key: { 'oauth2.lostAt': 1 },
      name: 'lost',
      partialFilterExpression: { 'oauth2.lostAt': { $exists: true } },
    },
  ],
  users: [
    { key: { email: 1 }, name: 'email', unique: true },
    { key: { role: 1 }, name: 'owners', partialFilterExpression: { role: 'owner' } },
    { key: { 'memberships.projectId': 1 }, name: 'members' },
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
  identities: [{ key: { userId: 1, issuer: 1 }, name: 'userOfIssuer', unique: true }],
  rateWindows: [expiring],
  sessions: [{ key: { userId: 1, createdAt: -1 }, name: 'userId' }, expiring],
  signInWindows: [expiring],
  usedLoginAttempts: [expiring],
  audit: AUDIT_INDEXES,
};

/** Requirements of this service on its database. */
export const SCHEMA: Schema = { indexes: INDEXES };
