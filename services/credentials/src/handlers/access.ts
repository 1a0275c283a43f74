import type {
  ApiKeyServiceService,
  InvitationServiceService,
  SessionServiceService,
  UserServiceService,
} from '@weft/proto/identity';
import type { CredentialServiceService } from '@weft/proto/credentials';
import type { Principal } from '@weft/service-kit/auth';
import { Unauthorized } from '@weft/service-kit/errors';
import type { AccessRule, CallContext } from '@weft/service-kit/grpc';

type Table<Definition> = Readonly<Record<keyof Definition, AccessRule>>;

const CREDENTIAL_READERS: AccessRule = { users: 'credentials:read' };
const CREDENTIAL_WRITERS: AccessRule = { users: 'credentials:write' };
const KEY_OWNERS: AccessRule = { users: 'keys:own' };
const USER_MANAGERS: AccessRule = { users: 'users:manage' };
const GATEWAY: AccessRule = { services: ['gateway'] };

/** Access to CredentialService. */
export const CREDENTIAL_ACCESS: Table<typeof CredentialServiceService> = {
  listCredentials: CREDENTIAL_READERS,
  getCredential: CREDENTIAL_READERS,
  createCredential: CREDENTIAL_WRITERS,
  updateCredential: CREDENTIAL_WRITERS,
  deleteCredential: CREDENTIAL_WRITERS,
  useCredential: { services: ['runner'] },
  verifyWebhookAuth: GATEWAY,
};

/** Access to ApiKeyService. */
export const API_KEY_ACCESS: Table<typeof ApiKeyServiceService> = {
  createApiKey: KEY_OWNERS,
  listApiKeys: KEY_OWNERS,
  deleteApiKey: KEY_OWNERS,
  verifyApiKey: { services: ['gateway', 'workflows', 'executions'] },
};

/** Access to UserService. */
export const USER_ACCESS: Table<typeof UserServiceService> = {
  createUser: USER_MANAGERS,
  listUsers: USER_MANAGERS,
  getUser: USER_MANAGERS,
  changeUserRole: USER_MANAGERS,
  lockUser: USER_MANAGERS,
  unlockUser: USER_MANAGERS,
  deleteUser: USER_MANAGERS,
  // Everybody may end their own sessions; the use case checks the others.
  signOutUser: KEY_OWNERS,
  listUserApiKeys: USER_MANAGERS,
  deleteUserApiKey: USER_MANAGERS,
};

/** Access to InvitationService. */
export const INVITATION_ACCESS: Table<typeof InvitationServiceService> = {
  createInvitation: USER_MANAGERS,
  resetPassword: USER_MANAGERS,
  listInvitations: USER_MANAGERS,
  deleteInvitation: USER_MANAGERS,
  getInvitation: GATEWAY,
  acceptInvitation: GATEWAY,
};

/** Access to SessionService. */
export const SESSION_ACCESS: Table<typeof SessionServiceService> = {
  signIn: GATEWAY,
  verifySession: GATEWAY,
  signOut: GATEWAY,
  getSetup: GATEWAY,
  setUpOwner: GATEWAY,
};

/** The user on whose behalf a method for users is called. @throws Unauthorized if there is none */
export const principalOf = ({ principal }: CallContext): Principal => {
  if (principal === undefined) throw new Unauthorized();
  return principal;
};
