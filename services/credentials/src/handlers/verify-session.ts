import type { SessionServiceService } from '@weft/proto/identity';
import type { Handler } from '@weft/service-kit/grpc';
import type { VerifySession } from '../domain/sessions/verify-session';
import { toUserMessage } from './user-message';

/** VerifySession. */
export const verifySessionHandler =
  (verifySession: VerifySession): Handler<typeof SessionServiceService.verifySession> =>
  async ({ sessionToken }) => ({ user: toUserMessage(await verifySession(sessionToken)) });
