import type { UserServiceService } from '@weft/proto/identity';
import type { Handler } from '@weft/service-kit/grpc';
import type { ListUsers } from '../domain/users/list-users';
import { toUserMessage } from './user-message';

/** ListUsers. */
export const listUsersHandler =
  (listUsers: ListUsers): Handler<typeof UserServiceService.listUsers> =>
  async (request) => {
    const { items, nextCursor } = await listUsers(request);
    return { users: items.map(toUserMessage), nextCursor };
  };
