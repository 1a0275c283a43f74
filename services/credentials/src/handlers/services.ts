import { CredentialServiceService } from '@weft/proto/credentials';
import { ApiKeyServiceService, SessionServiceService, UserServiceService } from '@weft/proto/identity';
import { bindService, type BoundService } from '@weft/service-kit/grpc';
import type { Domain } from '../domain/domain';
import { API_KEY_ACCESS, CREDENTIAL_ACCESS, SESSION_ACCESS, USER_ACCESS } from './access';
import { createApiKeyHandler } from './create-api-key';
import { createCredentialHandler } from './create-credential';
import { createUserHandler } from './create-user';
import { deleteApiKeyHandler } from './delete-api-key';
import { deleteCredentialHandler } from './delete-credential';
import { getCredentialHandler } from './get-credential';
import { getSetupHandler } from './get-setup';
import { listApiKeysHandler } from './list-api-keys';
import { listCredentialsHandler } from './list-credentials';
import { listUsersHandler } from './list-users';
import { setUpOwnerHandler } from './set-up-owner';
import { signInHandler } from './sign-in';
import { signOutHandler } from './sign-out';
import { updateCredentialHandler } from './update-credential';
import { useCredentialHandler } from './use-credential';
import { verifyApiKeyHandler } from './verify-api-key';
import { verifySessionHandler } from './verify-session';
import { verifyWebhookAuthHandler } from './verify-webhook-auth';

const credentialService = (domain: Domain): BoundService =>
  bindService(
    CredentialServiceService,
    {
      listCredentials: listCredentialsHandler(domain.listCredentials),
      getCredential: getCredentialHandler(domain.getCredential),
      createCredential: createCredentialHandler(domain.createCredential),
      updateCredential: updateCredentialHandler(domain.updateCredential),
      deleteCredential: deleteCredentialHandler(domain.deleteCredential),
      useCredential: useCredentialHandler(domain.useCredential),
      verifyWebhookAuth: verifyWebhookAuthHandler(domain.verifyWebhookAuth),
    },
    CREDENTIAL_ACCESS,
  );

const apiKeyService = (domain: Domain): BoundService =>
  bindService(
    ApiKeyServiceService,
    {
      createApiKey: createApiKeyHandler(domain.createApiKey),
      listApiKeys: listApiKeysHandler(domain.listApiKeys),
      deleteApiKey: deleteApiKeyHandler(domain.deleteApiKey),
      verifyApiKey: verifyApiKeyHandler(domain.verifyProof),
    },
    API_KEY_ACCESS,
  );

const userService = (domain: Domain): BoundService =>
  bindService(
    UserServiceService,
    { createUser: createUserHandler(domain.createUser), listUsers: listUsersHandler(domain.listUsers) },
    USER_ACCESS,
  );

const sessionService = (domain: Domain): BoundService =>
  bindService(
    SessionServiceService,
    {
      signIn: signInHandler(domain.signIn),
      verifySession: verifySessionHandler(domain.verifySession),
      signOut: signOutHandler(domain.signOut),
      getSetup: getSetupHandler(domain.isSetupOpen),
      setUpOwner: setUpOwnerHandler(domain.setUpOwner),
    },
    SESSION_ACCESS,
  );

/** All services of this process over its domain. */
export const bindServices = (domain: Domain): readonly BoundService[] => [
  credentialService(domain),
  apiKeyService(domain),
  userService(domain),
  sessionService(domain),
];
