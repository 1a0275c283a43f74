import type { TokenSigner } from '@weft/service-kit/auth';
import { createGetCaller } from './domain/accounts/get-caller';
import { apiKeyUseCases } from './domain/api-keys/api-keys';
import type { ApiKeyStore } from './domain/api-keys/api-key';
import { createHashKey } from './domain/api-keys/key-format';
import { createNoteUse } from './domain/api-keys/note-use';
import { createCountRequests, type RateWindowStore } from './domain/api-keys/rate-window';
import { createVerifyApiKey, type Batcher } from './domain/api-keys/verify-api-key';
import { createVerifyBasic } from './domain/api-keys/verify-basic';
import { createVerifyProof } from './domain/api-keys/verify-proof';
import type { RecordAudit } from './domain/audit';
import type { CredentialStore } from './domain/ownership/credential';
import type { ListCredentialWorkflows } from './domain/credentials/credentials';
import { createFindGrantee, createListGrantedCredentials } from './domain/credentials/grants';
import { createMayUse } from './domain/credentials/grant';
import { createCheckFields, createCheckType } from './domain/credentials/check-credential';
import type { ReadCredentialFile } from './domain/credentials/file-references';
import { createManageCredentials } from './domain/credentials/manage-credentials';
import { createOpenCredential } from './domain/credentials/open-credential';
import { createFindCredentials } from './domain/credentials/find-credentials';
import { createListNodeOptions, type FetchOptions, LISTS_PER_MINUTE } from './domain/credentials/list-node-options';
import { createFindReach } from './domain/credentials/reach';
import { createRecordUse } from './domain/credentials/record-use';
import { createSignNotifications } from './domain/credentials/sign-notifications';
import { createRewrapCredentials } from './domain/credentials/rewrap-credentials';
import { transferCredentialUseCases } from './domain/ownership/transfer-credentials';
import { TESTS_PER_MINUTE, type ProbeCredential } from './domain/credentials/test-credential';
import { createUseCredential, type CheckClaim } from './domain/credentials/use-credential';
import type { UseAttempt } from './domain/oauth2/finish-login';
import { createAttemptSealer } from './domain/oauth2/login-attempt';
import { createOpenForRuns } from './domain/oauth2/data-for-runs';
import { createRefreshOnce, type RefreshOutcome } from './domain/oauth2/refresh-once';
import { createWithFreshTokens } from './domain/oauth2/refresh-tokens';
import type { RequestTokens } from './domain/oauth2/request-tokens';
import type { CredentialFileUnusable } from './domain/errors';
import type { IdentityStore } from './domain/identities/identity';
import { createSignInWithIdentity } from './domain/identities/sign-in-with-identity';
import { acceptUseCases } from './domain/invitations/accept-invitation';
import type { InvitationStore } from './domain/invitations/invitation';
import { invitationUseCases } from './domain/invitations/invitations';
import { deriveKey, type MasterKeys } from './domain/master-keys';
import { createSealer } from './domain/sealing';
import { createCallHook, type RequestHook } from './domain/hooks/call-hook';
import { createListClosedProjects, type ClosedProjectStore } from './domain/projects/closed-projects';
import { createDeleteProject } from './domain/projects/delete-project';
import { memberUseCases } from './domain/projects/members';
import { createFindOwner } from './domain/ownership/owners';
import type { ProjectStore } from './domain/ownership/project';
import { projectUseCases } from './domain/projects/projects';
import { transferUseCases } from './domain/projects/transfer';
import type { SessionStore } from './domain/sessions/session';
import { createOpenSession, SESSION_REQUESTS_PER_MINUTE, sessionUseCases } from './domain/sessions/sessions';
import { createSignInLimit, type SignInWindowStore } from './domain/users/sign-in-limit';
import { setUpUseCases } from './domain/set-up/set-up';
import { setUpCodeOf } from './domain/set-up/set-up-code';
import { createChangePassword } from './domain/users/change-password';
import { createAuthenticate } from './domain/users/authenticate';
import { createDeleteUser } from './domain/accounts/delete-user';
import { createEnsureFirstOwner } from './domain/accounts/first-owner';
import { createCheckDestination, type Ownership } from './domain/ownership/inheritance';
import { createIssueRunToken } from './domain/accounts/issue-run-token';
import { manageUseCases } from './domain/accounts/manage-users';
import type { UserStore } from './domain/ownership/user';
import type { HashPassword } from './domain/users/password';
import { userUseCases } from './domain/users/users';
import { createVerifyWebhookAuth } from './domain/webhook-auth/verify-webhook-auth';
import { countAuth } from './observing/observe-auth';

/** Dependencies of the use cases. */
export interface Deps {
  readonly credentials: CredentialStore;
  readonly users: UserStore;
  readonly projects: ProjectStore;
  readonly closedProjects: ClosedProjectStore;
  /** Resolves when no process uses an earlier list of closed projects any more. */
  readonly untilKnown: () => Promise<void>;
  readonly invitations: InvitationStore;
  readonly identities: IdentityStore;
  readonly apiKeys: ApiKeyStore;
  readonly rateWindows: RateWindowStore;
  readonly sessions: SessionStore;
  readonly signInWindows: SignInWindowStore;
  readonly recordAudit: RecordAudit;
  readonly checkClaim: CheckClaim;
  readonly ownership: Ownership;
  readonly listCredentialWorkflows: ListCredentialWorkflows;
  readonly probeCredential: ProbeCredential;
  readonly fetchOptions: FetchOptions;
  readonly requestTokens: RequestTokens;
  readonly requestHook: RequestHook;
  /** Tells the workflows service that a credential was changed; a failure changes nothing. */
  readonly recheckHooks: (credentialId: string) => Promise<void>;
  readonly useAttempt: UseAttempt;
  /** Called with the outcome of each refresh of tokens. */
  readonly onRefresh: (outcome: RefreshOutcome) => void;
  /** Resolves after a number of milliseconds. */
  readonly wait: (ms: number) => Promise<void>;
  /** Runs work for several calls, apart from the deadline of each. */
  readonly detached: <Result>(work: () => Result) => Result;
  readonly readCredentialFile: ReadCredentialFile;
  readonly sign: TokenSigner;
  /** Methods that nodes may call for the owner of their workflow, by path, with their service. */
  readonly delegatedMethods: ReadonlyMap<string, string>;
  readonly createBatcher: Batcher;
  readonly masterKeys: MasterKeys;
  readonly hashPassword: HashPassword;
  readonly newId: () => string;
  readonly clock: () => Date;
  /** Called with the error of a failed rehash, which fails no request. */
  readonly onRehashFailure: (error: unknown) => void;
  /** Called for a mounted file that a credential names and that cannot be used. */
  readonly onUnusableFile: (error: CredentialFileUnusable) => void;
  /** Called with the error of writing a last use, which fails no request. */
  readonly onNoteFailure: (error: unknown) => void;
  readonly config: {
    /** Requests per minute; 0: no limit. */
    readonly rateLimitPerMinute: number;
    readonly basicAuth: boolean;
    /** Credential types in addition to the built-in ones. */
    readonly extraCredentialTypes: readonly string[];
  };
}

/** Creates the use cases. */
export const compose = (deps: Deps) => {
  const { config, masterKeys, clock } = deps;
  const sealer = createSealer(masterKeys);
  const openCredential = createOpenCredential({ ...deps, sealer });
  const findOwner = createFindOwner(deps.users, deps.projects);
  const refreshOnce = createRefreshOnce({ ...deps, sealer, openCredential });
  const withFreshTokens = createWithFreshTokens({ ...deps, sealer, refreshOnce });
  const using = {
    ...deps,
    sealer,
    findOwner,
    mayUse: createMayUse(sealer),
    openCredential,
    openForRuns: createOpenForRuns(withFreshTokens, openCredential),
    recordUse: createRecordUse(deps.recordAudit, clock),
  };
  const checkDestination = createCheckDestination(deps);
  const transfers = transferCredentialUseCases({ ...deps, sealer });
  const checkType = createCheckType(config.extraCredentialTypes);
  const checkFields = createCheckFields(deps.readCredentialFile);
  const hashKey = createHashKey(masterKeys);
  const countRequests = createCountRequests(deps.rateWindows, config.rateLimitPerMinute, clock);
  const limit = createSignInLimit(deps.signInWindows, deriveKey(masterKeys.current, 'sign-in-name'), clock);
  const authenticate = createAuthenticate({ ...deps, limit });
  const openSession = createOpenSession(deps);
  const setUpCode = setUpCodeOf(masterKeys.current);
  const verifyApiKey = createVerifyApiKey({ ...deps, hashKey, countRequests, noteUse: createNoteUse(deps) });
  const verifyBasic = createVerifyBasic({ ...deps, isEnabled: config.basicAuth, authenticate, countRequests });
  const sessions = sessionUseCases({
    ...deps,
    authenticate,
    openSession,
    countRequests: createCountRequests(deps.rateWindows, SESSION_REQUESTS_PER_MINUTE, clock),
  });
  const keys = apiKeyUseCases({ ...deps, hashKey });
  return {
    manageCredentials: createManageCredentials({
      ...deps,
      findReach: createFindReach(deps.users),
      findGrantee: createFindGrantee(deps),
      checkDestination,
      sealer,
      checkType,
      checkFields,
      openCredential,
      withFreshTokens,
      attempts: createAttemptSealer(masterKeys),
      countTests: createCountRequests(deps.rateWindows, TESTS_PER_MINUTE, clock),
    }),
    listNodeOptions: createListNodeOptions({
      ...using,
      countLists: createCountRequests(deps.rateWindows, LISTS_PER_MINUTE, clock),
    }),
    listGrantedCredentials: createListGrantedCredentials({ ...deps, sealer }),
    checkDestination,
    useCredential: createUseCredential(using),
    callHook: createCallHook(using),
    recheckHooks: deps.recheckHooks,
    findCredentials: createFindCredentials(using),
    signNotifications: createSignNotifications(using),
    issueRunToken: createIssueRunToken(deps),
    rewrapCredentials: createRewrapCredentials({ ...deps, sealer }),
    verifyWebhookAuth: countAuth(
      createVerifyWebhookAuth(using),
      () => 'webhook',
      ({ kind }) => (kind === 'needs-body' ? undefined : kind === 'granted'),
    ),
    ...keys,
    verifyProof: countAuth(createVerifyProof(verifyApiKey, verifyBasic), ({ kind }) =>
      kind === 'api-key' ? 'api_key' : 'basic',
    ),
    ...userUseCases(deps),
    getCaller: createGetCaller(deps),
    ...manageUseCases({ ...deps, keys }),
    deleteUser: createDeleteUser({ ...deps, ...transfers }),
    ...projectUseCases(deps),
    ...memberUseCases(deps),
    listClosedProjects: createListClosedProjects(deps.closedProjects),
    deleteProject: createDeleteProject({ ...deps, ...transfers }),
    ...transferUseCases({ ...deps, ...transfers, checkDestination }),
    ...invitationUseCases(deps),
    ...acceptUseCases({ ...deps, limit, openSession }),
    ...sessions,
    changePassword: createChangePassword({
      ...deps,
      authenticate,
      openSession,
      findUser: async (token) => (await sessions.verifySession(token)).user,
    }),
    signInWithIdentity: createSignInWithIdentity({ ...deps, openSession }),
    verifySession: countAuth(sessions.verifySession, () => 'session'),
    ...setUpUseCases({ ...deps, limit, setUpCode, openSession }),
    setUpCode,
    ensureFirstOwner: createEnsureFirstOwner({ ...deps, hashKey }),
  };
};

export type UseCases = ReturnType<typeof compose>;
