import type { Role } from '@weft/proto/identity';
import { type User, UserServiceService } from '@weft/proto/identity';
import { ServiceError } from '@weft/service-kit/errors';
import { bindService, type Handlers } from '@weft/service-kit/grpc';
import type { Fake } from './fake';

const managing = { users: 'users:manage' as const };
const own = { users: 'keys:own' as const };

const notFound = (userId: string): ServiceError =>
  new ServiceError({ reason: 'USER_NOT_FOUND', kind: 'not-found', message: 'No such user.', details: { userId } });

/** The users of a credentials service, in memory. */
export const fakeUsers = (fake: Fake) => {
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
    const user = { id: `u${users.length + 1}`, email, role, createdAt: new Date('2026-01-02T03:04:05.678Z') };
    users.unshift(user);
    return user;
  };
  const handlers: Handlers<typeof UserServiceService> = {
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
        find(request.userId);
        return {};
      }),
    listUserApiKeys: (request, context) =>
      fake.act('listUserApiKeys', request, context, () => {
        find(request.userId);
        return { apiKeys: [{ id: 'k1', name: 'one', createdAt: new Date('2026-01-02T03:04:05.678Z') }] };
      }),
    deleteUserApiKey: (request, context) =>
      fake.act('deleteUserApiKey', request, context, () => {
        find(request.userId);
        return {};
      }),
  };
  const bound = bindService(UserServiceService, handlers, {
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
  return { users, addUser, bound };
};
