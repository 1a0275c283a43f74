import { ExecutionServiceService, type CheckClaimRequest } from '@weft/proto/executions';
import { InternalError } from '@weft/service-kit/errors';
import { bindService, type Handlers } from '@weft/service-kit/grpc';
import { startFakePeer, type FakePeer } from '@weft/service-kit/testing';

/** Fake of the executions service at the gRPC level. It knows the claims that a test adds. */
export interface FakeExecutions extends FakePeer {
  /** Makes a claim valid. */
  readonly grant: (claim: CheckClaimRequest, ownerId: string) => void;
  /** Received requests, in order. */
  readonly asked: readonly CheckClaimRequest[];
}

const notUsed = () => Promise.reject(new InternalError('the fake does not answer this'));
const access = { services: ['credentials'] };

/** Workflow of every claim. */
export const WORKFLOW_ID = '01890000-0000-7000-8000-00000000000f';

export const startFakeExecutions = async (publicKeys: string): Promise<FakeExecutions> => {
  const claims = new Map<string, string>();
  const asked: CheckClaimRequest[] = [];
  const keyOf = ({ executionId, fence, node, credentialId, nodeKind }: CheckClaimRequest): string =>
    JSON.stringify([executionId, fence, node, credentialId, nodeKind]);
  const handlers: Handlers<typeof ExecutionServiceService> = {
    startExecution: notUsed,
    startPartialExecution: notUsed,
    startExecutions: notUsed,
    getExecution: notUsed,
    async *readExecutionData() {},
    async *readBinary() {},
    async *readItems() {},
    getNodeRun: notUsed,
    listExecutions: notUsed,
    listLatestExecutions: notUsed,
    getExecutionCounts: notUsed,
    deleteExecution: notUsed,
    cancelExecution: notUsed,
    decideApproval: notUsed,
    replyToChat: notUsed,
    resumeExecution: notUsed,
    findWait: notUsed,
    pollExecution: notUsed,
    putInputFile: notUsed,
    findReferencedVersions: notUsed,
    checkClaim: (request) => {
      asked.push(request);
      const ownerId = claims.get(keyOf(request));
      return Promise.resolve(
        ownerId === undefined
          ? { granted: false, workflowId: '', ownerId: '' }
          : { granted: true, workflowId: WORKFLOW_ID, ownerId },
      );
    },
  };
  const rules = {
    startExecution: access,
    startPartialExecution: access,
    startExecutions: access,
    getExecution: access,
    readExecutionData: access,
    readBinary: access,
    readItems: access,
    getNodeRun: access,
    listExecutions: access,
    listLatestExecutions: access,
    getExecutionCounts: access,
    deleteExecution: access,
    cancelExecution: access,
    decideApproval: access,
    replyToChat: access,
    resumeExecution: access,
    findWait: access,
    pollExecution: access,
    putInputFile: access,
    checkClaim: access,
    findReferencedVersions: access,
  };
  const peer = await startFakePeer({
    name: 'executions',
    publicKeys,
    services: [bindService(ExecutionServiceService, handlers, rules)],
  });
  return { ...peer, asked, grant: (claim, ownerId) => void claims.set(keyOf(claim), ownerId) };
};
