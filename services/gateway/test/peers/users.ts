import {
  InvitationServiceService,
  Role,
  type SignInResponse,
  type User,
  UserServiceService,
} from '@weft/proto/identity';
import { ServiceError } from '@weft/service-kit/errors';
import { bindService, type Handlers } from '@weft/service-kit/grpc';
import type { Fake } from './fake';

const managing = { users: 'users:manage' as const };
const own = { users: 'keys:own' as const };
const inside = { services: ['gateway'] };

/** The token of every invitation of the fake. */
export const INVITATION_TOKEN = 'the-token-of-an-invitation';

const invitation = {
  id: 'i1',
  email: 'new@example.test',
  role: Role.ROLE_EDITOR,
  createdBy: 'user-1',
  createdAt: new Date('2026-01-02T03:04:05.678Z'),
  expiresAt: new Date('2026-01-09T03:04:05.678Z'),
  userId: '',
};

const invitationNotFound = (details: Readonly<Record<string, string>>): ServiceError =>
  new ServiceError({ reason: 'INVITATION_NOT_FOUND', kind: 'not-found', message: 'No such invitation.', details });

const notFound = (userId: string): ServiceError =>
  new ServiceError({ reason: 'USER_NOT_FOUND', kind: 'not-found', message: 'No such user.', details: { userId } });

/** The users of the credentials service, in memory. */
export const fakeUsers = (fake: Fake, openSession: () => SignInResponse) => {
  const users: User[] = [];
  const find = (id: string): User => {
    const user = users.find((one) => one.id === id);
    if (user === undefined) throw notFound(id);
    return user;
  };
  const change = (id: string, changes: Partial<User>): { user: User } => {
    const user = { ...find(id), ...changes };
    users.splice(users.indexOf(find(id)), 1, user);
    return { user };
  };
  const addUser = (email: string, role: Role): User => {
    const user = { id: `u${users.length + 1}`, email, name: '', role, createdAt: new Date('2026-01-02T03:04:05.678Z') };
    users.unshift(user);
    return user;
  };
  const handlers: Handlers<typeof UserServiceService> = {
    getCaller: (request, context) =>
      fake.act('getCaller', request, context, () => ({
        user: {
          id: context.principal?.userId ?? '',
          email: 'me@example.test',
          name: 'Me',
          role: Role.ROLE_EDITOR,
          createdAt: new Date('2026-01-02T03:04:05.678Z'),
        },
        apiKey:
          request.apiKeyId === undefined
            ? undefined
            : { id: request.apiKeyId, name: 'ci', createdAt: new Date('2026-01-02T03:04:05.678Z'), scopes: [] },
        projects: [{ id: 'p1', name: 'Billing', role: Role.ROLE_ADMIN, closed: true }],
        release: '0.1.0',
        commit: 'unknown',
      })),
    createUser: (request, context) =>
      fake.act('createUser', request, context, () => ({ user: addUser(request.email, request.role) })),
    listUsers: (request, context) =>
      fake.act('listUsers', request, context, () => {
        const from = Number(request.cursor);
        const next = from + request.limit;
        return { users: users.slice(from, next), nextCursor: next < users.length ? String(next) : '' };
      }),
    getUser: (request, context) => fake.act('getUser', request, context, () => ({ user: find(request.userId) })),
    changeUserRole: (request, context) =>
      fake.act('changeUserRole', request, context, () => change(request.userId, { role: request.role })),
    lockUser: (request, context) =>
      fake.act('lockUser', request, context, () =>
        change(request.userId, { lockedAt: new Date('2026-02-03T00:00:00Z') }),
      ),
    unlockUser: (request, context) =>
      fake.act('unlockUser', request, context, () => change(request.userId, { lockedAt: undefined })),
    deleteUser: (request, context) =>
      fake.act('deleteUser', request, context, () => {
        users.splice(users.indexOf(find(request.userId)), 1);
        return {};
      }),
    signOutUser: (request, context) =>
      fake.act('signOutUser', request, context, () => {
        // The user who signs in on the settings page.
        if (request.userId !== 'user-1') find(request.userId);
        return {};
      }),
    listUserApiKeys: (request, context) =>
      fake.act('listUserApiKeys', request, context, () => {
        find(request.userId);
        return { apiKeys: [{ id: 'k1', name: 'one', createdAt: new Date('2026-01-02T03:04:05.678Z'), scopes: [] }] };
      }),
    deleteUserApiKey: (request, context) =>
      fake.act('deleteUserApiKey', request, context, () => {
        find(request.userId);
        return {};
      }),
  };
  const invitationHandlers: Handlers<typeof InvitationServiceService> = {
    createInvitation: (request, context) =>
      fake.act('createInvitation', request, context, () => ({
        invitation: { ...invitation, email: request.email, role: request.role },
        token: INVITATION_TOKEN,
      })),
    resetPassword: (request, context) =>
      fake.act('resetPassword', request, context, () => {
        const { id, email, role } = find(request.userId);
        return { invitation: { ...invitation, email, role, userId: id }, token: INVITATION_TOKEN };
      }),
    listInvitations: (request, context) =>
      fake.act('listInvitations', request, context, () => ({ invitations: [invitation] })),
    deleteInvitation: (request, context) =>
      fake.act('deleteInvitation', request, context, () => {
        if (request.invitationId !== invitation.id) throw invitationNotFound({ invitationId: request.invitationId });
        return {};
      }),
    getInvitation: (request, context) =>
      fake.act('getInvitation', request, context, () => {
        if (request.token !== INVITATION_TOKEN) throw invitationNotFound({});
        return { invitation };
      }),
    acceptInvitation: (request, context) =>
      fake.act('acceptInvitation', request, context, () => {
        if (request.token !== INVITATION_TOKEN) throw invitationNotFound({});
        return openSession();
      }),
  };
  const bound = bindService(UserServiceService, handlers, {
    getCaller: { users: 'all' },
    createUser: managing,
    listUsers: managing,
    getUser: managing,
    changeUserRole: managing,
    lockUser: managing,
    unlockUser: managing,
    deleteUser: managing,
    signOutUser: own,
    listUserApiKeys: managing,
    deleteUserApiKey: managing,
  });
  const invitationsBound = bindService(InvitationServiceService, invitationHandlers, {
    createInvitation: managing,
    resetPassword: managing,
    listInvitations: managing,
    deleteInvitation: managing,
    getInvitation: inside,
    acceptInvitation: inside,
  });
  return { users, addUser, bound: [bound, invitationsBound] };
};
