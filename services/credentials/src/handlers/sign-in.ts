import type { SessionServiceService } from '@weft/proto/identity';
import type { Handler } from '@weft/service-kit/grpc';
import type { SignIn } from '../domain/sessions/sign-in';
import { toUserMessage } from './user-message';

/** SignIn. */
export const signInHandler =
  (signIn: SignIn): Handler<typeof SessionServiceService.signIn> =>
  async ({ email, password, clientAddress }) => {
    const { token, expiresAt, user } = await signIn({ email, password, address: clientAddress });
    return { sessionToken: token, expiresAt, user: toUserMessage(user) };
  };
