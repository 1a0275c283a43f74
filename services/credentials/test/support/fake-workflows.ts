import {
  OwnershipServiceService,
  type ListCredentialWorkflowsRequest,
  type TransferOneRequest,
} from '@weft/proto/ownership';
import { ServiceError, Unavailable } from '@weft/service-kit/errors';
import { bindService, type Handlers } from '@weft/service-kit/grpc';
import { startFakePeer, type FakePeer } from '@weft/service-kit/testing';

/** Fake of the workflows service at the gRPC level. It knows how many workflows each user owns. */
export interface FakeWorkflows extends FakePeer {
  /** Counts of workflows by owner id. */
  readonly owned: Map<string, number>;
  /** Workflows by the id of the credential that they use. */
  readonly naming: Map<string, { id: string; name: string }[]>;
  /** Requests for the workflows that use a credential. */
  readonly asked: ListCredentialWorkflowsRequest[];
  /** Credentials that are also used by workflows hidden from the user. */
  readonly hiding: Set<string>;
  /** Credentials whose hooks are to be checked. */
  readonly rechecked: string[];
  /** Ids of workflows that exist. */
  readonly existing: Set<string>;
  /** Received transfers of single objects. */
  readonly moved: TransferOneRequest[];
  /** Makes every call unavailable, or available again. */
  readonly setAway: (isAway: boolean) => void;
}

export const startFakeWorkflows = async (publicKeys: string): Promise<FakeWorkflows> => {
  const owned = new Map<string, number>();
  const moved: TransferOneRequest[] = [];
  const naming: FakeWorkflows['naming'] = new Map();
  const asked: ListCredentialWorkflowsRequest[] = [];
  const rechecked: string[] = [];
  const hiding = new Set<string>();
  const existing = new Set<string>();
  let away = false;
  const answer = <Result>(result: () => Result): Promise<Result> =>
    new Promise((resolve) => {
      if (away) throw new Unavailable('The fake is away.');
      resolve(result());
    });
  const handlers: Handlers<typeof OwnershipServiceService> = {
    countOwned: ({ ownerId }) => answer(() => ({ workflows: owned.get(ownerId) ?? 0, variables: 0, dataTables: 0 })),
    getWorkflowOwner: ({ workflowId }) =>
      answer(() => {
        if (existing.has(workflowId)) return { ownerId: '' };
        throw new ServiceError({ reason: 'WORKFLOW_NOT_FOUND', kind: 'not-found', message: 'There is none.' });
      }),
    transferOwnership: ({ fromOwnerId, toOwnerId }) =>
      answer(() => {
        owned.set(toOwnerId, (owned.get(toOwnerId) ?? 0) + (owned.get(fromOwnerId) ?? 0));
        owned.delete(fromOwnerId);
        return {};
      }),
    transferOne: (request) =>
      answer(() => {
        moved.push(request);
        return {};
      }),
    recheckHooks: ({ credentialId }) =>
      answer(() => {
        rechecked.push(credentialId);
        return {};
      }),
    listCredentialWorkflows: (request) =>
      answer(() => {
        asked.push(request);
        const { credentialId } = request;
        return { workflows: naming.get(credentialId) ?? [], hasHidden: hiding.has(credentialId) };
      }),
  };
  const access = { services: ['credentials'] };
  const peer = await startFakePeer({
    name: 'workflows',
    publicKeys,
    services: [
      bindService(OwnershipServiceService, handlers, {
        countOwned: access,
        getWorkflowOwner: access,
        transferOwnership: access,
        transferOne: access,
        listCredentialWorkflows: access,
        recheckHooks: access,
      }),
    ],
  });
  return {
    ...peer,
    rechecked,
    owned,
    naming,
    asked,
    hiding,
    existing,
    moved,
    setAway: (isAway) => {
      away = isAway;
    },
  };
};
