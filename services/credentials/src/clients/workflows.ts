import { OwnershipServiceService, type TransferOneRequest } from '@weft/proto/ownership';
import type { TokenSigner } from '@weft/service-kit/auth';
import { ServiceError } from '@weft/service-kit/errors';
import { createCaller, isUnimplemented } from '@weft/service-kit/grpc';
import type { ListCredentialWorkflows } from '../domain/credentials/credentials';
import type { OwnedThing, Ownership } from '../domain/ownership/inheritance';

/** The part of the workflows service that this service needs. */
export interface WorkflowsClient extends Ownership {
  readonly listCredentialWorkflows: ListCredentialWorkflows;
  /** Checks the hooks with a changed credential soon. They are checked every hour anyway: a failure is ignored. */
  readonly recheckHooks: (credentialId: string) => Promise<void>;
  readonly close: () => void;
}

/** Users wait for it after a change of a credential. */
const RECHECK_MS = 1_000;

const CASES = { workflow: 'workflowId', variable: 'variableId', 'data-table': 'dataTableId' } as const;

const thingMessage = ({ kind, id }: OwnedThing): TransferOneRequest['thing'] => ({ $case: CASES[kind], value: id });

/** Connects to the workflows service. @param target gRPC target */
export const createWorkflowsClient = (target: string, sign: TokenSigner): WorkflowsClient => {
  const { calls, close } = createCaller(OwnershipServiceService, {
    service: 'workflows',
    target,
    sign,
    retried: ['countOwned', 'getWorkflowOwner', 'transferOwnership', 'transferOne', 'listCredentialWorkflows'],
  });
  return {
    countOwned: async (ownerId) => ({ ...(await calls.countOwned({ ownerId })) }),
    transferOwnership: async (fromOwnerId, toOwnerId) => {
      await calls.transferOwnership({ fromOwnerId, toOwnerId });
    },
    transferOne: async (thing, toOwnerId, { userId, role, projects = [] }) => {
      await calls.transferOne({ thing: thingMessage(thing), toOwnerId, userId, role, projectIds: [...projects] });
    },
    hasWorkflow: async (workflowId) => {
      try {
        await calls.getWorkflowOwner({ workflowId });
        return true;
      } catch (error) {
        // During an update, a service of release 0.1.0 cannot tell.
        if (isUnimplemented(error) || (error instanceof ServiceError && error.kind === 'not-found')) return false;
        throw error;
      }
    },
    listCredentialWorkflows: async ({ id, ownerId, grantedTo }, user) => {
      const { userId, role, projects = [], reads = [], inRun = false } = user;
      const manager = { userId, role, projectIds: [...projects], readProjectIds: [...reads], inRun };
      const grantedProjectIds = [...grantedTo];
      return calls.listCredentialWorkflows({ credentialId: id, ownerId, grantedProjectIds, manager });
    },
    recheckHooks: async (credentialId) => {
      await calls.recheckHooks({ credentialId }, { deadlineMs: RECHECK_MS }).catch(() => undefined);
    },
    close,
  };
};
