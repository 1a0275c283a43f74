import type { UserServiceService } from '@weft/proto/identity';
import type { Handlers } from '@weft/service-kit/grpc';
import { RELEASE } from '@weft/service-kit/lifecycle';
import type { UseCases } from '../compose';
import { principalOf } from './access';
import { toApiKeyMessage } from './api-keys';
import { fromRoleMessage, toRoleMessage, toUserMessage } from './user-message';

/** Handlers of UserService. @param commit that the process was built from */
export const userHandlers = (useCases: UseCases, commit: string): Handlers<typeof UserServiceService> => ({
  getCaller: async ({ apiKeyId }, context) => {
    const principal = principalOf(context);
    const keyId = context.service === undefined ? principal.keyId : apiKeyId;
    const { user, apiKey, projects } = await useCases.getCaller(principal, keyId);
    return {
      user: toUserMessage(user),
      apiKey: apiKey === undefined ? undefined : toApiKeyMessage(apiKey),
      projects: projects.map((project) => ({ ...project, role: toRoleMessage(project.role) })),
      release: RELEASE,
      commit,
    };
  },
  createUser: async ({ email, password, role }, context) => ({
    user: toUserMessage(
      await useCases.createUser(principalOf(context), {
        email,
        password,
        role: fromRoleMessage(role),
        id: context.createdId,
      }),
    ),
  }),
  listUsers: async (request) => {
    const { items, nextCursor } = await useCases.listUsers(request);
    return { users: items.map(toUserMessage), nextCursor };
  },
  getUser: async ({ userId }) => ({ user: toUserMessage(await useCases.getUser(userId)) }),
  changeUserRole: async ({ userId, role }, context) => ({
    user: toUserMessage(await useCases.changeUserRole(principalOf(context), userId, fromRoleMessage(role))),
  }),
  lockUser: async ({ userId }, context) => ({
    user: toUserMessage(await useCases.lockUser(principalOf(context), userId)),
  }),
  unlockUser: async ({ userId }, context) => ({
    user: toUserMessage(await useCases.unlockUser(principalOf(context), userId)),
  }),
  deleteUser: async ({ userId, transferTo }, context) => {
    await useCases.deleteUser(principalOf(context), userId, transferTo);
    return {};
  },
  signOutUser: async ({ userId }, context) => {
    await useCases.signOutUser(principalOf(context), userId);
    return {};
  },
  listUserApiKeys: async ({ userId }, context) => ({
    apiKeys: (await useCases.listUserApiKeys(principalOf(context), userId)).map(toApiKeyMessage),
  }),
  deleteUserApiKey: async ({ userId, apiKeyId }, context) => {
    await useCases.deleteUserApiKey(principalOf(context), userId, apiKeyId);
    return {};
  },
});
