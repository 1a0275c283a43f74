import type { AuditLog } from '@weft/service-kit/audit';
import type { Connection } from 'mongoose';
import type { Deps } from '../compose';
import { createApiKeyStore } from './api-key-store';
import { createClosedProjectStore } from './closed-project-store';
import { createCredentialStore } from './credential-store';
import type { NoteFingerprint } from '../domain/master-keys';
import { createIdentityStore } from './identity-store';
import { createInvitationStore } from './invitation-store';
import { createNoteFingerprint } from './master-key-store';
import { createProjectStore } from './project-store';
import { createRateWindowStore } from './rate-window-store';
import { createSessionStore } from './session-store';
import { createSignInWindowStore } from './sign-in-window-store';
import { createUseAttempt } from './used-attempt-store';
import { createUserStore } from './user-store';

/** Dependencies of the use cases provided by the database. */
export type Stores = Pick<
  Deps,
  | 'credentials'
  | 'users'
  | 'projects'
  | 'closedProjects'
  | 'invitations'
  | 'identities'
  | 'apiKeys'
  | 'rateWindows'
  | 'sessions'
  | 'signInWindows'
  | 'useAttempt'
  | 'recordAudit'
> & { readonly noteFingerprint: NoteFingerprint };

/** Creates all stores on one connection. */
export const createStores = (connection: Connection, auditLog: AuditLog): Stores => ({
  credentials: createCredentialStore(connection),
  users: createUserStore(connection),
  projects: createProjectStore(connection),
  closedProjects: createClosedProjectStore(connection),
  invitations: createInvitationStore(connection),
  identities: createIdentityStore(connection),
  apiKeys: createApiKeyStore(connection),
  rateWindows: createRateWindowStore(connection),
  sessions: createSessionStore(connection),
  signInWindows: createSignInWindowStore(connection),
  useAttempt: createUseAttempt(connection),
  recordAudit: auditLog.record,
  noteFingerprint: createNoteFingerprint(connection),
});
