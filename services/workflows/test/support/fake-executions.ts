import { ExecutionServiceService, type ExecutionStart, type StartResult } from '@weft/proto/executions';
import { ServiceError, Unavailable } from '@weft/service-kit/errors';
import { bindService, toRpcStatus } from '@weft/service-kit/grpc';
import { startFakePeer, type FakePeer } from '@weft/service-kit/testing';

/** A valid claim; the owner of its workflow is `u1` if absent. */
export interface FakeClaim {
  readonly fence: number;
  readonly workflowId: string;
  readonly ownerId?: string;
}

/** Fake of the executions service over gRPC: records starts, once for each idempotency key. */
export interface FakeExecutions extends FakePeer {
  /** Starts in order of arrival, without repetitions of a key. */
  readonly started: readonly ExecutionStart[];
  /** Number of all starts received. */
  readonly asked: () => number;
  /** While set, every call fails as if the service were down. */
  readonly setDown: (isDown: boolean) => void;
  /** Makes a claim valid; undefined: it becomes invalid. */
  readonly setClaim: (executionId: string, claim: FakeClaim | undefined) => void;
  /** Ends all runs of a workflow, so that they exclude no other any more. */
  readonly end: (workflowId: string) => void;
  /** Versions that executions need. */
  readonly referred: Set<string>;
  /** Versions of each call of FindReferencedVersions. */
  readonly references: (readonly string[])[];
  /** Number of requests about versions received while it was down. */
  readonly refusedReferences: () => number;
  /** Called on every request about versions, before the response; undefined: not called. */
  readonly onReferences: (act: ((versionIds: readonly string[]) => Promise<void>) | undefined) => void;
  /** Refuses the starts of a workflow or version; undefined: accepts them again. */
  readonly refuse: (workflowId: string, error: ServiceError | undefined) => void;
}

export const startFakeExecutions = async (publicKeys: string): Promise<FakeExecutions> => {
  const started: ExecutionStart[] = [];
  const byKey = new Map<string, string>();
  const refusals = new Map<string, ServiceError>();
  const claims = new Map<string, FakeClaim>();
  const live = new Map<string, Set<string>>();
  const referred = new Set<string>();
  const references: (readonly string[])[] = [];
  let meanwhile: ((versionIds: readonly string[]) => Promise<void>) | undefined;
  let refusedReferences = 0;
  let asked = 0;
  let isDown = false;
  const take = (start: ExecutionStart): StartResult => {
    const refusal = refusals.get(start.workflowId) ?? refusals.get(start.versionId);
    if (refusal !== undefined) return { result: { $case: 'error', value: toRpcStatus(refusal) } };
    const key =
      start.idempotencyKey === ''
        ? (start.executionId ?? '')
        : `${start.workflowId} ${start.startNode} ${start.idempotencyKey}`;
    const known = byKey.get(key);
    if (known === undefined && start.exclusiveKey !== undefined) {
      const keys = live.get(start.workflowId) ?? new Set<string>();
      if (keys.has(start.exclusiveKey))
        return {
          result: {
            $case: 'error',
            value: toRpcStatus(
              new ServiceError({ reason: 'EXECUTION_OVERLAPS', kind: 'conflict', message: 'one is running' }),
            ),
          },
        };
      live.set(start.workflowId, keys.add(start.exclusiveKey));
    }
    if (known === undefined) started.push(start);
    byKey.set(key, known ?? `execution-${byKey.size}`);
    return {
      result: { $case: 'started', value: { executionId: byKey.get(key) ?? '', existing: known !== undefined } },
    };
  };
  const unused = () => Promise.reject(new ServiceError({ reason: 'NOT_USED', kind: 'internal', message: 'not used' }));
  const handlers = {
    startExecution: unused,
    startPartialExecution: unused,
    startExecutions: ({ starts }: { starts: ExecutionStart[] }) => {
      asked += starts.length;
      return isDown ? Promise.reject(new Unavailable('down')) : Promise.resolve({ results: starts.map(take) });
    },
    getExecution: unused,
    async *readExecutionData() {},
    async *readBinary() {},
    async *readItems() {},
    getNodeRun: unused,
    listExecutions: unused,
    listLatestExecutions: unused,
    getExecutionCounts: unused,
    deleteExecution: unused,
    cancelExecution: unused,
    decideApproval: unused,
    replyToChat: unused,
    resumeExecution: unused,
    findWait: unused,
    pollExecution: unused,
    putInputFile: unused,
    findReferencedVersions: async ({ versions }: { versions: { versionId: string }[] }) => {
      if (isDown) {
        refusedReferences += 1;
        throw new Unavailable('down');
      }
      const ids = versions.map(({ versionId }) => versionId);
      references.push(ids);
      await meanwhile?.(ids);
      return { versionIds: ids.filter((id) => referred.has(id)) };
    },
    checkClaim: ({ executionId, fence }: { executionId: string; fence: number }) => {
      if (isDown) return Promise.reject(new Unavailable('down'));
      const claim = claims.get(executionId);
      return Promise.resolve(
        claim?.fence === fence
          ? { granted: true, workflowId: claim.workflowId, ownerId: claim.ownerId ?? 'u1' }
          : { granted: false, workflowId: '', ownerId: '' },
      );
    },
  };
  const none = {};
  const access = {
    startExecution: none,
    startPartialExecution: none,
    startExecutions: { services: ['workflows'] },
    getExecution: none,
    readExecutionData: none,
    readBinary: none,
    readItems: none,
    getNodeRun: none,
    listExecutions: none,
    listLatestExecutions: none,
    getExecutionCounts: none,
    deleteExecution: none,
    cancelExecution: none,
    decideApproval: none,
    replyToChat: none,
    resumeExecution: none,
    findWait: none,
    pollExecution: none,
    putInputFile: none,
    checkClaim: { services: ['workflows'] },
    findReferencedVersions: { services: ['workflows'] },
  };
  const peer = await startFakePeer({
    name: 'executions',
    publicKeys,
    services: [bindService(ExecutionServiceService, handlers, access)],
  });
  return {
    ...peer,
    started,
    referred,
    references,
    refusedReferences: () => refusedReferences,
    onReferences: (act) => {
      meanwhile = act;
    },
    asked: () => asked,
    setDown: (value) => {
      isDown = value;
    },
    setClaim: (executionId, claim) => {
      if (claim === undefined) claims.delete(executionId);
      else claims.set(executionId, claim);
    },
    end: (workflowId) => {
      live.delete(workflowId);
    },
    refuse: (workflowId, error) => {
      if (error === undefined) refusals.delete(workflowId);
      else refusals.set(workflowId, error);
    },
  };
};
