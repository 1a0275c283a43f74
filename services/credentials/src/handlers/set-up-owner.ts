import type { SessionServiceService } from '@weft/proto/identity';
import type { Handler } from '@weft/service-kit/grpc';
import type { SetUpOwner } from '../domain/set-up/set-up-owner';
import { toUserMessage } from './user-message';

/** SetUpOwner. */
export const setUpOwnerHandler =
  (setUpOwner: SetUpOwner): Handler<typeof SessionServiceService.setUpOwner> =>
  async ({ email, password, clientAddress, setupCode }) => {
    const { token, expiresAt, user } = await setUpOwner({ email, password, code: setupCode, address: clientAddress });
    return { sessionToken: token, expiresAt, user: toUserMessage(user) };
  };
