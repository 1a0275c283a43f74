import type { UserServiceService } from '@weft/proto/identity';
import type { Handler } from '@weft/service-kit/grpc';
import type { CreateUser } from '../domain/users/create-user';
import { principalOf } from './principal';
import { toRole, toUserMessage } from './user-message';

/** CreateUser. */
export const createUserHandler =
  (createUser: CreateUser): Handler<typeof UserServiceService.createUser> =>
  async ({ email, password, role }, context) => ({
    user: toUserMessage(await createUser(principalOf(context), { email, password, role: toRole(role) })),
  });
