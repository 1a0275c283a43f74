import type { OwnershipServiceService } from '@weft/proto/ownership';
import type { Handlers } from '@weft/service-kit/grpc';
import type { OwnershipUseCases } from '../domain/ownership';

/** OwnershipService over gRPC. */
export const ownershipHandlers = (useCases: OwnershipUseCases): Handlers<typeof OwnershipServiceService> => ({
  countOwned: async ({ ownerId }) => ({ ...(await useCases.countOwned(ownerId)) }),
  transferOwnership: async ({ fromOwnerId, toOwnerId }) => {
    await useCases.transferOwnership(fromOwnerId, toOwnerId);
    return {};
  },
});
