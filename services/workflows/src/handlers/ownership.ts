import type { OwnershipServiceService } from '@weft/proto/ownership';
import type { Handlers } from '@weft/service-kit/grpc';
import type { UseCases } from '../compose';

/** OwnershipService over gRPC. */
export const ownershipHandlers = (useCases: UseCases): Handlers<typeof OwnershipServiceService> => ({
  countOwned: async ({ ownerId }) => ({ ...(await useCases.countOwned(ownerId)) }),
  transferOwnership: async ({ fromOwnerId, toOwnerId }) => {
    await useCases.transferOwnership(fromOwnerId, toOwnerId);
    return {};
  },
  listCredentialWorkflows: async ({ credentialId }) => ({
    workflows: [...(await useCases.listCredentialWorkflows(credentialId))],
  }),
});
