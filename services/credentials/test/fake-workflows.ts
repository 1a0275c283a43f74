import {
  OwnershipServiceService,
  type ListCredentialWorkflowsRequest,
  type TransferOneRequest,
} from '@weft/proto/ownership';
import { Unavailable } from '@weft/service-kit/errors';
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
  const hiding = new Set<string>();
  let away = false;
  const answer = <Result>(result: () => Result): Promise<Result> =>
    away ? Promise.reject(new Unavailable('The fake is away.')) : Promise.resolve(result());
  const handlers: Handlers<typeof OwnershipServiceService> = {
    countOwned: ({ ownerId }) => answer(() => ({ workflows: owned.get(ownerId) ?? 0, variables: 0, dataTables: 0 })),
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
        transferOwnership: access,
        transferOne: access,
        listCredentialWorkflows: access,
      }),
    ],
  });
  return {
    ...peer,
    owned,
    naming,
    asked,
    hiding,
    moved,
    setAway: (isAway) => {
      away = isAway;
    },
  };
};
