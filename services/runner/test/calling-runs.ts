import { ExecutionState } from '@weft/proto/executions';
import type { RunnerServiceService } from '@weft/proto/runner';
import {
  HeartbeatOutcome,
  WriteOutcome,
  type ClaimedExecution,
  type ReleaseEntry,
  type NodeRun,
  type ReportEntry,
  type StartChildRequest,
  type StartChildResponse,
  type WaitEntry,
} from '@weft/proto/runner';
import { ServiceError } from '@weft/service-kit/errors';
import type { Handlers } from '@weft/service-kit/grpc';
import { uuidv7 } from '@weft/service-kit/ids';
import { makeTestKeys } from '@weft/service-kit/testing';
import { queuesNamed } from './queues';

export const keys = makeTestKeys(['runner', 'executions', 'credentials']);
export const queue = queuesNamed('CALLS');
export const CHILD = 'child-version';

export const node = (name: string, kind: string, typeVersion: number, parameters: object, extra: object = {}) => ({
  name,
  type: `x-nodes-base.${kind}`,
  typeVersion,
  position: [0, 0],
  parameters,
  ...extra,
});
export const definitionOf = (nodes: readonly { name: string }[]) => ({
  name: 'w',
  nodes,
  settings: {},
  connections: Object.fromEntries(
    nodes.slice(1).map(({ name }, index) => [nodes[index]?.name, { main: [[{ node: name, type: 'main', index: 0 }]] }]),
  ),
});
export const calling = (parameters: object = {}, extra: object = {}) =>
  definitionOf([
    node('Start', 'manualTrigger', 1, {}),
    node('Call', 'executeWorkflow', 1.2, { workflowId: 'w2', ...parameters }, extra),
  ]);
export const request = (url: string) =>
  definitionOf([
    node('Called', 'executeWorkflowTrigger', 1, {}),
    node('Ask', 'httpRequest', 4.2, { url, options: {} }),
  ]);
export const versionOf = (versionId: string, definition: object) => ({
  versionId,
  workflowId: 'w',
  ownerId: 'o',
  definition: Buffer.from(JSON.stringify(definition)),
});

const claimOf = (id: string, versionId: string, fields: Partial<ClaimedExecution> = {}): ClaimedExecution => ({
  executionId: id,
  fence: 1,
  workflowId: 'w',
  versionId,
  ownerId: 'o',
  mode: 1,
  startNode: 'Start',
  input: Buffer.from('{"n":20}'),
  inputChunkId: '',
  usePinData: true,
  checkpoint: 0,
  engineState: Buffer.alloc(0),
  engineStateChunkId: '',
  resume: Buffer.alloc(0),
  createdAt: new Date(),
  startedAt: new Date(),
  deadlineAt: undefined,
  responded: false,
  parentExecutionId: '',
  ...fields,
});

type ChildAnswer = Omit<StartChildResponse, 'childExecutionId' | 'version' | 'resultJson'> &
  Partial<StartChildResponse>;

/** The executions service as runners see it, with the reports it received. */
export class FakeExecutions {
  readonly queued = new Map<string, { readonly definition: object; readonly fields: Partial<ClaimedExecution> }>();
  readonly reports: ReportEntry[] = [];
  readonly nodeRuns: (NodeRun & { readonly executionId: string })[] = [];
  readonly waits: WaitEntry[] = [];
  readonly released: ReleaseEntry[] = [];
  readonly calls: StartChildRequest[] = [];
  readonly lost = new Map<string, HeartbeatOutcome>();
  readonly renewed = new Set<string>();
  /** Runs whose end is refused, since another runner has them. */
  readonly fenced = new Set<string>();
  answer: (call: StartChildRequest) => ChildAnswer = () => ({ next: { $case: 'claimedByOther', value: true } });
  leaseMs = 30_000;
  chunk = '';

  add(definition: object, fields: Partial<ClaimedExecution> = {}): string {
    const id = uuidv7();
    this.queued.set(id, { definition, fields });
    return id;
  }

  /** A child that is claimed for its caller. */
  claimed(childExecutionId: string, definition: object): ChildAnswer {
    return {
      childExecutionId,
      next: {
        $case: 'claimed',
        value: claimOf(childExecutionId, CHILD + childExecutionId, {
          startNode: 'Called',
          input: Buffer.from('[{"json":{"n":1}}]'),
          mode: 4,
        }),
      },
      version: versionOf(CHILD + childExecutionId, definition),
    };
  }

  #keepRuns(entries: readonly { readonly executionId: string; readonly nodeRuns: readonly NodeRun[] }[]): void {
    this.nodeRuns.push(
      ...entries.flatMap(({ executionId, nodeRuns }) => nodeRuns.map((run) => ({ ...run, executionId }))),
    );
  }

  readonly #getChunk = async function* (this: FakeExecutions) {
    yield { data: Buffer.from(this.chunk) };
  }.bind(this);

  readonly handlers = (): Handlers<typeof RunnerServiceService> => {
    const refuse = () =>
      Promise.reject(new ServiceError({ reason: 'NOT_USED', kind: 'internal', message: 'not used' }));
    const accepted = (entries: readonly unknown[]) =>
      Promise.resolve({ outcomes: entries.map(() => WriteOutcome.WRITE_OUTCOME_APPLIED) });
    return {
      claim: ({ executionIds }) => {
        const won = executionIds.flatMap((id) => {
          const entry = this.queued.get(id);
          this.queued.delete(id);
          return entry === undefined ? [] : [{ id, ...entry }];
        });
        return Promise.resolve({
          executions: won.map(({ id, fields }) => claimOf(id, `v-${id}`, fields)),
          versions: won.map(({ id, definition }) => versionOf(`v-${id}`, definition)),
          refusedIds: [],
          isolatedIds: [],
          unreadableIds: [],
          leaseMs: this.leaseMs,
        });
      },
      heartbeat: ({ held }) => {
        for (const { executionId } of held) this.renewed.add(executionId);
        return Promise.resolve({
          outcomes: held.map(
            ({ executionId }) => this.lost.get(executionId) ?? HeartbeatOutcome.HEARTBEAT_OUTCOME_HELD,
          ),
        });
      },
      persist: ({ entries }) => Promise.resolve({ outcomes: entries.map(() => WriteOutcome.WRITE_OUTCOME_APPLIED) }),
      checkpoint: ({ entries }) => {
        this.#keepRuns(entries);
        return accepted(entries);
      },
      report: ({ entries }) => {
        this.#keepRuns(entries);
        this.reports.push(...entries);
        return Promise.resolve({
          outcomes: entries.map(({ executionId }) =>
            this.fenced.has(executionId) ? WriteOutcome.WRITE_OUTCOME_FENCED : WriteOutcome.WRITE_OUTCOME_APPLIED,
          ),
        });
      },
      release: ({ entries }) => {
        this.released.push(...entries);
        return accepted(entries);
      },
      wait: ({ entries }) => {
        this.waits.push(...entries);
        return accepted(entries);
      },
      acquireSlot: refuse,
      findFirstResult: refuse,
      countModelTokens: refuse,
      endRunner: () => Promise.resolve({}),
      startChild: (call) => {
        this.calls.push(call);
        return Promise.resolve({
          childExecutionId: 'c',
          version: undefined,
          resultJson: Buffer.alloc(0),
          ...this.answer(call),
        });
      },
      putChunk: async (pieces) => {
        for await (const piece of pieces) if (piece.chunkId === '') throw new Error('A piece has no name.');
        return { outcome: WriteOutcome.WRITE_OUTCOME_APPLIED };
      },
      respond: refuse,
      getChunk: this.#getChunk,
      readNodeRuns: async function* () {
        yield { nodeRuns: [] };
      },
    };
  };
}

export const ended = () => ({
  id: 'c',
  workflowId: 'w',
  versionId: 'v',
  ownerId: 'o',
  mode: 4,
  state: ExecutionState.EXECUTION_STATE_SUCCESS,
  status: 3,
  createdAt: undefined,
  startedAt: undefined,
  finishedAt: undefined,
  lastNode: '',
  error: undefined,
  crashes: 0,
  nodeRunCount: 0,
  approvals: [],
});
