import type { SessionServiceService } from '@weft/proto/identity';
import type { Handlers } from '@weft/service-kit/grpc';
import type { UseCases } from '../compose';
import type { OpenedSession } from '../domain/sessions/sessions';
import { projectsToEdit, projectsToRead } from '../domain/ownership/user';
import { fromRoleMessage, toUserMessage } from './user-message';

/** Converts an opened session. */
export const toSessionMessage = ({ token, expiresAt, user }: OpenedSession) => ({
  sessionToken: token,
  expiresAt,
  user: toUserMessage(user),
});

/** Handlers of SessionService. */
export const sessionHandlers = (useCases: UseCases): Handlers<typeof SessionServiceService> => ({
  signIn: async ({ email, password, clientAddress }) =>
    toSessionMessage(await useCases.signIn({ email, password, address: clientAddress })),
  signInWithIdentity: async ({ groupRole, newUserRole, clientAddress, ...identity }) =>
    toSessionMessage(
      await useCases.signInWithIdentity({
        ...identity,
        groupRole: fromRoleMessage(groupRole),
        newUserRole: fromRoleMessage(newUserRole),
        address: clientAddress,
      }),
    ),
  verifySession: async ({ sessionToken, count }) => {
    const { user, allowance } = await useCases.verifySession(sessionToken, count);
    return {
      user: toUserMessage(user),
      projectIds: [...projectsToEdit(user)],
      readProjectIds: [...projectsToRead(user)],
      ...(allowance === undefined ? {} : { allowance }),
    };
  },
  signOut: async ({ sessionToken }) => {
    await useCases.signOut(sessionToken);
    return {};
  },
  changePassword: async ({ sessionToken, clientAddress, ...passwords }) =>
    toSessionMessage(await useCases.changePassword({ ...passwords, token: sessionToken, address: clientAddress })),
  getSetup: async () => ({ open: await useCases.isSetupOpen() }),
  setUpOwner: async ({ email, password, clientAddress, setupCode }) =>
    toSessionMessage(await useCases.setUpOwner({ email, password, code: setupCode, address: clientAddress })),
});
