import { OwnershipServiceService } from '@weft/proto/ownership';
import type { TokenSigner } from '@weft/service-kit/auth';
import { createCaller } from '@weft/service-kit/grpc';
import type { ListCredentialWorkflows } from '../domain/credentials/credentials';
import type { Ownership } from '../domain/users/delete-user';

/** The workflows service, as far as this one needs it. */
export interface WorkflowsClient extends Ownership {
  readonly listCredentialWorkflows: ListCredentialWorkflows;
  readonly close: () => void;
}

/** A client of the workflows service. @param target gRPC target. */
export const createWorkflowsClient = (target: string, sign: TokenSigner): WorkflowsClient => {
  const { calls, close } = createCaller(OwnershipServiceService, {
    service: 'workflows',
    target,
    sign,
    retried: ['countOwned', 'transferOwnership', 'listCredentialWorkflows'],
  });
  return {
    countOwned: async (ownerId) => ({ ...(await calls.countOwned({ ownerId })) }),
    transferOwnership: async (fromOwnerId, toOwnerId) => {
      await calls.transferOwnership({ fromOwnerId, toOwnerId });
    },
    listCredentialWorkflows: async (credentialId) => (await calls.listCredentialWorkflows({ credentialId })).workflows,
    close,
  };
};
