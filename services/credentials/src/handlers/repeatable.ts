import {
  CreateCredentialRequest,
  CreateCredentialResponse,
  type CredentialServiceService,
} from '@weft/proto/credentials';
import {
  type ApiKeyServiceService,
  CreateApiKeyRequest,
  CreateInvitationRequest,
  CreateUserRequest,
  CreateUserResponse,
  type InvitationServiceService,
  ResetPasswordRequest,
  type UserServiceService,
} from '@weft/proto/identity';
import { CreateProjectRequest, CreateProjectResponse, type ProjectServiceService } from '@weft/proto/projects';
import type { CallContext, Handlers } from '@weft/service-kit/grpc';
import { ifFound, repeatableCreation, repeatableSecret, type RepeatDeps } from '@weft/service-kit/idempotency';

/** CreateCredential, repeatable. */
export const repeatableCredentials = (
  deps: RepeatDeps,
  handlers: Handlers<typeof CredentialServiceService>,
): Handlers<typeof CredentialServiceService> => ({
  ...handlers,
  createCredential: repeatableCreation(
    deps,
    'CreateCredential',
    [CreateCredentialRequest, CreateCredentialResponse],
    handlers.createCredential,
    (credentialId, context) => ifFound(() => handlers.getCredential({ credentialId }, context)),
  ),
});

/** CreateProject, repeatable. */
export const repeatableProjects = (
  deps: RepeatDeps,
  handlers: Handlers<typeof ProjectServiceService>,
): Handlers<typeof ProjectServiceService> => ({
  ...handlers,
  createProject: repeatableCreation(
    deps,
    'CreateProject',
    [CreateProjectRequest, CreateProjectResponse],
    handlers.createProject,
    (projectId, context) => ifFound(() => handlers.getProject({ projectId }, context)),
  ),
});

/** CreateUser, repeatable. */
export const repeatableUsers = (
  deps: RepeatDeps,
  handlers: Handlers<typeof UserServiceService>,
): Handlers<typeof UserServiceService> => ({
  ...handlers,
  createUser: repeatableCreation(
    deps,
    'CreateUser',
    [CreateUserRequest, CreateUserResponse],
    handlers.createUser,
    (userId, context) => ifFound(() => handlers.getUser({ userId }, context)),
  ),
});

/** CreateApiKey, repeatable without its value. */
export const repeatableApiKeys = (
  deps: RepeatDeps,
  handlers: Handlers<typeof ApiKeyServiceService>,
): Handlers<typeof ApiKeyServiceService> => ({
  ...handlers,
  createApiKey: repeatableSecret(
    deps,
    ['CreateApiKey', 'apiKeyId'],
    CreateApiKeyRequest,
    handlers.createApiKey,
    async (id, context) => (await handlers.listApiKeys({}, context)).apiKeys.some((key) => key.id === id),
  ),
});

/** CreateInvitation and ResetPassword, repeatable without their tokens. */
export const repeatableInvitations = (
  deps: RepeatDeps,
  handlers: Handlers<typeof InvitationServiceService>,
): Handlers<typeof InvitationServiceService> => {
  const exists = async (id: string, context: CallContext): Promise<boolean> =>
    (await handlers.listInvitations({}, context)).invitations.some((invitation) => invitation.id === id);
  return {
    ...handlers,
    createInvitation: repeatableSecret(
      deps,
      ['CreateInvitation', 'invitationId'],
      CreateInvitationRequest,
      handlers.createInvitation,
      exists,
    ),
    resetPassword: repeatableSecret(
      deps,
      ['ResetPassword', 'invitationId'],
      ResetPasswordRequest,
      handlers.resetPassword,
      exists,
    ),
  };
};
