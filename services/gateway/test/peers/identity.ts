import {
  ApiKeyServiceService,
  Role,
  SessionServiceService,
  type ApiKey,
  type VerifyApiKeyRequest,
} from '@weft/proto/identity';
import { ServiceError, Unauthorized } from '@weft/service-kit/errors';
import { bindService, type Handlers } from '@weft/service-kit/grpc';
import { createFake } from './fake';
import { fakeProjects } from './projects';
import { fakeUsers } from './users';

const own = { users: 'keys:own' as const };
const inside = { services: ['gateway'] };

/** Valid keys, by the role of their user. */
export const KEYS = { owner: 'weft_owner', editor: 'weft_editor', viewer: 'weft_viewer' };
/** The only user who can sign in. */
export const PERSON = { email: 'owner@example.test', password: 'a long enough password' };

const ROLES = new Map([
  [KEYS.owner, Role.ROLE_OWNER],
  [KEYS.editor, Role.ROLE_EDITOR],
  [KEYS.viewer, Role.ROLE_VIEWER],
]);

/** The identity side of the credentials service, in memory. */
export const fakeIdentity = () => {
  const fake = createFake();
  const keys = new Map(ROLES);
  const listed: ApiKey[] = [];
  /** Scopes of the limited keys. */
  const limited = new Map<string, string[]>();
  const sessions = new Set<string>();
  const setup = { open: false, code: 'ABCDE-01234' };
  /** Of every session. */
  const sessionWindow = { limit: 600, used: 0, resetAt: new Date('2026-01-02T03:05:00.250Z') };
  const window = { limit: 0, used: 0, resetAt: new Date('2026-01-02T03:05:00.250Z') };
  let made = 0;
  const roleOf = ({ proof }: VerifyApiKeyRequest): Role => {
    if (proof?.$case === 'basic' && proof.value.username === PERSON.email && proof.value.password === PERSON.password)
      return Role.ROLE_OWNER;
    const role = proof?.$case === 'apiKey' ? keys.get(proof.value) : undefined;
    if (role === undefined) throw new Unauthorized();
    return role;
  };
  const scopesOf = ({ proof }: VerifyApiKeyRequest): string[] =>
    proof?.$case === 'apiKey' ? (limited.get(proof.value) ?? []) : [];
  const apiKeyHandlers: Handlers<typeof ApiKeyServiceService> = {
    createApiKey: (request, context) =>
      fake.act('createApiKey', request, context, () => {
        made += 1;
        const { name, expiresAt, scopes } = request;
        const apiKey = { id: `k${made}`, name, createdAt: new Date('2026-01-02T03:04:05.678Z'), expiresAt, scopes };
        listed.unshift(apiKey);
        return { apiKey, value: `weft_value${made}` };
      }),
    listApiKeys: (request, context) => fake.act('listApiKeys', request, context, () => ({ apiKeys: listed })),
    deleteApiKey: (request, context) =>
      fake.act('deleteApiKey', request, context, () => {
        const at = listed.findIndex(({ id }) => id === request.apiKeyId);
        if (at === -1)
          throw new ServiceError({
            reason: 'API_KEY_NOT_FOUND',
            kind: 'not-found',
            message: 'No such key.',
            details: { apiKeyId: request.apiKeyId },
          });
        listed.splice(at, 1);
        return {};
      }),
    verifyApiKey: (request, context) =>
      fake.act('verifyApiKey', request, context, () => {
        const role = roleOf(request);
        const granted =
          window.limit === 0 ? request.count : Math.max(0, Math.min(request.count, window.limit - window.used));
        window.used += granted;
        return {
          userId: `user-${role}`,
          role,
          granted,
          limit: window.limit,
          remaining: Math.max(0, window.limit - window.used),
          resetAt: window.resetAt,
          scopes: scopesOf(request),
          projectIds: [],
          readProjectIds: [],
          email: PERSON.email,
          ...(request.proof?.$case === 'apiKey' ? { apiKeyId: `key of ${request.proof.value}` } : {}),
        };
      }),
  };
  const person = { id: 'user-1', email: PERSON.email, name: '', role: Role.ROLE_OWNER, createdAt: new Date() };
  const openSession = () => {
    made += 1;
    const sessionToken = `session${made}`;
    sessions.add(sessionToken);
    return { sessionToken, expiresAt: new Date(Date.now() + 3_600_000), user: person };
  };
  const sessionHandlers: Handlers<typeof SessionServiceService> = {
    signIn: (request, context) =>
      fake.act('signIn', request, context, () => {
        if (request.email !== PERSON.email || request.password !== PERSON.password)
          throw new Unauthorized('Email or password is wrong.');
        return openSession();
      }),
    signInWithIdentity: (request, context) => fake.act('signInWithIdentity', request, context, openSession),
    getSetup: (request, context) => fake.act('getSetup', request, context, () => ({ open: setup.open })),
    setUpOwner: (request, context) =>
      fake.act('setUpOwner', request, context, () => {
        if (!setup.open)
          throw new ServiceError({
            reason: 'SET_UP_DONE',
            kind: 'conflict',
            message: 'It has an owner. Sign in instead.',
          });
        if (request.setupCode !== setup.code) throw new Unauthorized('The set-up code is wrong.');
        setup.open = false;
        return openSession();
      }),
    verifySession: (request, context) =>
      fake.act('verifySession', request, context, () => {
        if (!sessions.has(request.sessionToken)) throw new Unauthorized('The session has ended.');
        const owner = { user: person, projectIds: [], readProjectIds: [] };
        const { count } = request;
        if (count === undefined) return owner;
        const granted = Math.max(0, Math.min(count, sessionWindow.limit - sessionWindow.used));
        sessionWindow.used += granted;
        const remaining = sessionWindow.limit - sessionWindow.used;
        return { ...owner, allowance: { ...sessionWindow, granted, remaining } };
      }),
    changePassword: (request, context) =>
      fake.act('changePassword', request, context, () => {
        if (!sessions.delete(request.sessionToken)) throw new Unauthorized('The session has ended.');
        return openSession();
      }),
    signOut: (request, context) =>
      fake.act('signOut', request, context, () => {
        sessions.delete(request.sessionToken);
        return {};
      }),
  };
  const { users, addUser, bound: usersBound } = fakeUsers(fake, openSession);
  const bound = [
    ...usersBound,
    fakeProjects(fake),
    bindService(ApiKeyServiceService, apiKeyHandlers, {
      createApiKey: own,
      listApiKeys: own,
      deleteApiKey: own,
      verifyApiKey: inside,
    }),
    bindService(SessionServiceService, sessionHandlers, {
      signIn: inside,
      signInWithIdentity: inside,
      verifySession: inside,
      signOut: inside,
      changePassword: inside,
      getSetup: inside,
      setUpOwner: inside,
    }),
  ];
  return { ...fake, keys, limited, listed, users, addUser, sessions, sessionWindow, window, setup, bound };
};
