import type { RecordAudit } from './audit/audit';
import type { ApiKeyStore } from './api-keys/api-key';
import { createCreateApiKey, type CreateApiKey } from './api-keys/create-api-key';
import { createDeleteApiKey, type DeleteApiKey } from './api-keys/delete-api-key';
import { createHashKey } from './api-keys/key-format';
import { createListApiKeys, type ListApiKeys } from './api-keys/list-api-keys';
import { createCountRequests, type RateWindowStore } from './api-keys/rate-window';
import { createVerifyApiKey, type Batcher } from './api-keys/verify-api-key';
import { createVerifyBasic } from './api-keys/verify-basic';
import { createVerifyProof, type VerifyProof } from './api-keys/verify-proof';
import { createCreateCredential, type CreateCredential } from './credentials/create-credential';
import type { CredentialStore } from './credentials/credential';
import { createDeleteCredential, type DeleteCredential } from './credentials/delete-credential';
import { createGetCredential, type GetCredential } from './credentials/get-credential';
import { createListCredentials, type ListCredentials } from './credentials/list-credentials';
import { createRewrapCredentials, type RewrapCredentials } from './credentials/rewrap-credentials';
import { createUpdateCredential, type UpdateCredential } from './credentials/update-credential';
import { createUseCredential, type CheckClaim, type UseCredential } from './credentials/use-credential';
import { deriveKey, type MasterKeys } from './master-keys';
import { createSealer } from './sealing';
import { createIsSetupOpen, type IsSetupOpen } from './set-up/get-setup';
import { setUpCodeOf } from './set-up/set-up-code';
import { createSetUpOwner, type SetUpOwner } from './set-up/set-up-owner';
import type { SessionStore } from './sessions/session';
import { createOpenSession } from './sessions/open-session';
import { createSignIn, type SignIn } from './sessions/sign-in';
import { createSignInLimit, type SignInWindowStore } from './sessions/sign-in-limit';
import { createSignOut, type SignOut } from './sessions/sign-out';
import { createVerifySession, type VerifySession } from './sessions/verify-session';
import { createAuthenticate } from './users/authenticate';
import { createCreateUser, type CreateUser } from './users/create-user';
import { ensureFirstOwner, type OwnerSettings } from './users/first-owner';
import { createListUsers, type ListUsers } from './users/list-users';
import type { User, UserStore } from './users/user';
import { createVerifyWebhookAuth, type VerifyWebhookAuth } from './webhook-auth/verify-webhook-auth';

/** What the domain stands on. */
export interface Ports {
  readonly credentials: CredentialStore;
  readonly users: UserStore;
  readonly apiKeys: ApiKeyStore;
  readonly rateWindows: RateWindowStore;
  readonly sessions: SessionStore;
  readonly signInWindows: SignInWindowStore;
  readonly recordAudit: RecordAudit;
  readonly checkClaim: CheckClaim;
  readonly createBatcher: Batcher;
  readonly masterKeys: MasterKeys;
  readonly newId: () => string;
  readonly clock: () => Date;
  /** Told of a failed update that no answer depends on. */
  readonly onRehashFailure: (error: unknown) => void;
}

/** What the domain is told by the configuration. */
export interface Settings {
  /** Requests a minute; 0: no limit. */
  readonly rateLimitPerMinute: number;
  readonly basicAuth: boolean;
}

/** Everything this service can do. */
export interface Domain {
  readonly listCredentials: ListCredentials;
  readonly getCredential: GetCredential;
  readonly createCredential: CreateCredential;
  readonly updateCredential: UpdateCredential;
  readonly deleteCredential: DeleteCredential;
  readonly useCredential: UseCredential;
  readonly verifyWebhookAuth: VerifyWebhookAuth;
  readonly createApiKey: CreateApiKey;
  readonly listApiKeys: ListApiKeys;
  readonly deleteApiKey: DeleteApiKey;
  readonly verifyProof: VerifyProof;
  readonly createUser: CreateUser;
  readonly listUsers: ListUsers;
  readonly signIn: SignIn;
  readonly verifySession: VerifySession;
  readonly signOut: SignOut;
  readonly isSetupOpen: IsSetupOpen;
  readonly setUpOwner: SetUpOwner;
  /** What SetUpOwner asks for. */
  readonly setUpCode: string;
  /** Undefined if there is no previous master key. */
  readonly rewrapCredentials: RewrapCredentials | undefined;
  readonly ensureFirstOwner: (settings: OwnerSettings) => Promise<User | undefined>;
}

/** Puts the use cases together. */
export const createDomain = (ports: Ports, settings: Settings): Domain => {
  const sealer = createSealer(ports.masterKeys);
  const hashKey = createHashKey(ports.masterKeys);
  const countRequests = createCountRequests(ports.rateWindows, settings.rateLimitPerMinute, ports.clock);
  const limit = createSignInLimit(
    ports.signInWindows,
    deriveKey(ports.masterKeys.current, 'sign-in-name'),
    ports.clock,
  );
  const authenticate = createAuthenticate({ ...ports, limit });
  const openSession = createOpenSession(ports);
  const setUpCode = setUpCodeOf(ports.masterKeys.current);
  const verifyApiKey = createVerifyApiKey({ ...ports, hashKey, countRequests });
  const verifyBasic = createVerifyBasic({ ...ports, isEnabled: settings.basicAuth, authenticate, countRequests });
  return {
    listCredentials: createListCredentials(ports.credentials),
    getCredential: createGetCredential(ports.credentials),
    createCredential: createCreateCredential({ ...ports, sealer }),
    updateCredential: createUpdateCredential({ ...ports, sealer }),
    deleteCredential: createDeleteCredential(ports),
    useCredential: createUseCredential({ ...ports, sealer }),
    verifyWebhookAuth: createVerifyWebhookAuth({ ...ports, sealer }),
    createApiKey: createCreateApiKey({ ...ports, hashKey }),
    listApiKeys: createListApiKeys(ports.apiKeys),
    deleteApiKey: createDeleteApiKey(ports),
    verifyProof: createVerifyProof(verifyApiKey, verifyBasic),
    createUser: createCreateUser(ports),
    listUsers: createListUsers(ports.users),
    signIn: createSignIn({ authenticate, openSession }),
    verifySession: createVerifySession(ports),
    signOut: createSignOut(ports.sessions),
    isSetupOpen: createIsSetupOpen(ports.users),
    setUpOwner: createSetUpOwner({ ...ports, limit, setUpCode, openSession }),
    setUpCode,
    rewrapCredentials: createRewrapCredentials({ ...ports, sealer }),
    ensureFirstOwner: (owner) => ensureFirstOwner({ ...ports, hashKey }, owner),
  };
};
