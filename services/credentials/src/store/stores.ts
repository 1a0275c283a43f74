import type { Connection } from 'mongoose';
import type { Ports } from '../domain/domain';
import { createApiKeyStore } from './api-key-store';
import { createRecordAudit } from './audit-store';
import { createCredentialStore } from './credential-store';
import { createRateWindowStore } from './rate-window-store';
import { createSessionStore } from './session-store';
import { createSignInWindowStore } from './sign-in-window-store';
import { createUserStore } from './user-store';

/** The ports of the domain that the database serves. */
export type StorePorts = Pick<
  Ports,
  'credentials' | 'users' | 'apiKeys' | 'rateWindows' | 'sessions' | 'signInWindows' | 'recordAudit'
>;

/** All stores over one connection. @param auditDays how long audit records are kept. */
export const createStores = (connection: Connection, auditDays: number): StorePorts => ({
  credentials: createCredentialStore(connection),
  users: createUserStore(connection),
  apiKeys: createApiKeyStore(connection),
  rateWindows: createRateWindowStore(connection),
  sessions: createSessionStore(connection),
  signInWindows: createSignInWindowStore(connection),
  recordAudit: createRecordAudit(connection, auditDays),
});
