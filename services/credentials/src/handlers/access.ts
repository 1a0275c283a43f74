import type {
  ApiKeyServiceService,
  InvitationServiceService,
  SessionServiceService,
  UserServiceService,
} from '@weft/proto/identity';
import type { ProjectServiceService } from '@weft/proto/projects';
import { CredentialServiceService } from '@weft/proto/credentials';
import { ExecutionServiceService } from '@weft/proto/executions';
import { WorkflowServiceService } from '@weft/proto/workflows';
import type { Principal } from '@weft/service-kit/auth';
import { Unauthorized } from '@weft/service-kit/errors';
import type { AccessRule, CallContext } from '@weft/service-kit/grpc';

type Table<Definition> = Readonly<Record<keyof Definition, AccessRule>>;

const CREDENTIAL_READERS: AccessRule = { users: 'credentials:read' };
const CREDENTIAL_WRITERS: AccessRule = { users: 'credentials:write' };
const KEY_OWNERS: AccessRule = { users: 'keys:own' };
const USER_MANAGERS: AccessRule = { users: 'users:manage' };
const PROJECT_MANAGERS: AccessRule = { users: 'projects:manage' };
const GATEWAY: AccessRule = { services: ['gateway'] };

/** Access to CredentialService. The use cases decide which credentials a user reaches. */
export const CREDENTIAL_ACCESS: Table<typeof CredentialServiceService> = {
  listCredentials: CREDENTIAL_READERS,
  getCredential: CREDENTIAL_READERS,
  createCredential: CREDENTIAL_WRITERS,
  updateCredential: CREDENTIAL_WRITERS,
  deleteCredential: CREDENTIAL_WRITERS,
  listCredentialGrants: CREDENTIAL_READERS,
  listCredentialUses: CREDENTIAL_READERS,
  grantCredential: CREDENTIAL_WRITERS,
  revokeCredential: CREDENTIAL_WRITERS,
  // For members of the project, whatever their role; the use case checks membership.
  listGrantedCredentials: { users: 'workflows:read' },
  // It has effects outside, which a read-only key must not have.
  testCredential: CREDENTIAL_WRITERS,
  // For users who write workflows; the use case checks which credentials they may use.
  listNodeOptions: { users: 'workflows:write' },
  startLogin: CREDENTIAL_WRITERS,
  finishLogin: CREDENTIAL_WRITERS,
  // Callers who can read node types, which name their credential types.
  listCredentialTypes: { users: 'workflows:read' },
  getCredentialType: { users: 'workflows:read' },
  useCredential: { services: ['runner'] },
  issueRunToken: { services: ['runner'] },
  verifyWebhookAuth: GATEWAY,
  findCredentials: { services: ['workflows'] },
  signNotifications: { services: ['executions'] },
  callHook: { services: ['workflows'] },
};

const pathsOf = (service: string, methods: readonly { readonly path: string }[]): [string, string][] =>
  methods.map(({ path }) => [path, service]);

/**
 * Methods that nodes may call with the permissions of the owner of their workflow, by path, with their service. None of
 * them changes users, keys or roles.
 */
export const DELEGATED_METHODS: ReadonlyMap<string, string> = new Map([
  ...pathsOf('workflows', [
    WorkflowServiceService.listWorkflows,
    WorkflowServiceService.getWorkflow,
    WorkflowServiceService.createWorkflow,
    WorkflowServiceService.replaceWorkflow,
    WorkflowServiceService.deleteWorkflow,
    WorkflowServiceService.activateWorkflow,
    WorkflowServiceService.deactivateWorkflow,
  ]),
  ...pathsOf('executions', [
    ExecutionServiceService.listExecutions,
    ExecutionServiceService.getExecution,
    ExecutionServiceService.readExecutionData,
    ExecutionServiceService.deleteExecution,
  ]),
  ...pathsOf('credentials', [
    CredentialServiceService.listCredentials,
    CredentialServiceService.getCredential,
    CredentialServiceService.createCredential,
    CredentialServiceService.deleteCredential,
  ]),
]);

/** Access to ApiKeyService. */
export const API_KEY_ACCESS: Table<typeof ApiKeyServiceService> = {
  createApiKey: KEY_OWNERS,
  listApiKeys: KEY_OWNERS,
  deleteApiKey: KEY_OWNERS,
  verifyApiKey: { services: ['gateway', 'workflows', 'executions'] },
};

/** Access to UserService. */
export const USER_ACCESS: Table<typeof UserServiceService> = {
  // Callers may always learn who they are.
  getCaller: { users: 'all' },
  createUser: USER_MANAGERS,
  listUsers: USER_MANAGERS,
  getUser: USER_MANAGERS,
  changeUserRole: USER_MANAGERS,
  lockUser: USER_MANAGERS,
  unlockUser: USER_MANAGERS,
  deleteUser: USER_MANAGERS,
  // Everyone may end their own sessions; the use case checks the others.
  signOutUser: KEY_OWNERS,
  listUserApiKeys: USER_MANAGERS,
  deleteUserApiKey: USER_MANAGERS,
};

/** Access to ProjectService. The use cases check who manages which project, and who may move what. */
export const PROJECT_ACCESS: Table<typeof ProjectServiceService> = {
  listProjects: { users: 'workflows:read' },
  getProject: { users: 'workflows:read' },
  createProject: USER_MANAGERS,
  renameProject: PROJECT_MANAGERS,
  deleteProject: USER_MANAGERS,
  listProjectMembers: PROJECT_MANAGERS,
  putProjectMember: PROJECT_MANAGERS,
  removeProjectMember: PROJECT_MANAGERS,
  transferWorkflow: { users: 'workflows:write' },
  transferVariable: { users: 'workflows:write' },
  transferDataTable: { users: 'workflows:write' },
  // Not even admins of projects: a moved credential stays usable at its destination
  // by users who lose access to its former project.
  transferCredential: USER_MANAGERS,
  checkDestination: { services: ['workflows', 'executions'] },
  listClosedProjects: { services: ['workflows', 'executions'] },
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
  signInWithIdentity: GATEWAY,
  verifySession: GATEWAY,
  signOut: GATEWAY,
  changePassword: GATEWAY,
  getSetup: GATEWAY,
  setUpOwner: GATEWAY,
};

/** The user on whose behalf a method for users is called. @throws Unauthorized if there is none */
export const principalOf = ({ principal }: CallContext): Principal => {
  if (principal === undefined) throw new Unauthorized();
  return principal;
};
