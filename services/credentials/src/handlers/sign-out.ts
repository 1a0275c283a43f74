import type { SessionServiceService } from '@weft/proto/identity';
import type { Handler } from '@weft/service-kit/grpc';
import type { SignOut } from '../domain/sessions/sign-out';

/** SignOut. */
export const signOutHandler =
  (signOut: SignOut): Handler<typeof SessionServiceService.signOut> =>
  async ({ sessionToken }) => {
    await signOut(sessionToken);
    return {};
  };
