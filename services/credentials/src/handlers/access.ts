import type { ApiKeyServiceService, SessionServiceService, UserServiceService } from '@weft/proto/identity';
import type { CredentialServiceService } from '@weft/proto/credentials';
import type { AccessRule } from '@weft/service-kit/grpc';

type Table<Definition> = Readonly<Record<keyof Definition, AccessRule>>;

/** Who may call what of CredentialService. */
export const CREDENTIAL_ACCESS: Table<typeof CredentialServiceService> = {
  listCredentials: { users: 'credentials:manage' },
  getCredential: { users: 'credentials:manage' },
  createCredential: { users: 'credentials:manage' },
  updateCredential: { users: 'credentials:manage' },
  deleteCredential: { users: 'credentials:manage' },
  useCredential: { services: ['runner'] },
  verifyWebhookAuth: { services: ['gateway'] },
};

/** Who may call what of ApiKeyService. */
export const API_KEY_ACCESS: Table<typeof ApiKeyServiceService> = {
  createApiKey: { users: 'keys:own' },
  listApiKeys: { users: 'keys:own' },
  deleteApiKey: { users: 'keys:own' },
  verifyApiKey: { services: ['gateway', 'workflows', 'executions'] },
};

/** Who may call what of UserService. */
export const USER_ACCESS: Table<typeof UserServiceService> = {
  createUser: { users: 'users:manage' },
  listUsers: { users: 'users:manage' },
};

/** Who may call what of SessionService. */
export const SESSION_ACCESS: Table<typeof SessionServiceService> = {
  signIn: { services: ['gateway'] },
  verifySession: { services: ['gateway'] },
  signOut: { services: ['gateway'] },
  getSetup: { services: ['gateway'] },
  setUpOwner: { services: ['gateway'] },
};
