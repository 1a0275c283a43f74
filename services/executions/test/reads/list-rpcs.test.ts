import { createHash } from 'node:crypto';
import { ExecutionMode } from '@weft/proto/executions';
import { EndState, HeartbeatOutcome, WriteOutcome, type NodeRun, type Refusals } from '@weft/proto/runner';
import { uuidv7 } from '@weft/service-kit/ids';
import fc from 'fast-check';
import type { ExecutionRecord } from '../../src/domain/state/execution';
import {
  nodeRun,
  reportOf,
  startTestStack,
  webhookStartOf,
  type FakeWorkflow,
  type Replica,
  type TestStack,
} from '../support/stack';

/** A run that a property has claimed. */
interface Held {
  readonly executionId: string;
  readonly fence: number;
}

interface Answer {
  readonly outcomes: readonly WriteOutcome[];
  readonly refusals?: Refusals | undefined;
}

/** A list RPC of runners: a valid entry, possible faults of an entry, and the effect of a valid one. */
interface ListRpc {
  readonly send: (replica: Replica, entries: readonly object[]) => Promise<Answer>;
  readonly good: (held: Held) => object;
  readonly bad: Readonly<Record<string, (held: Held) => object>>;
  readonly done: Partial<ExecutionRecord>;
}

const hash = createHash('sha256').update('token').digest('hex');
const bareRun: NodeRun = nodeRun('A', 0, {}, { recordJson: Buffer.alloc(0) });
const strayRun: NodeRun = { ...bareRun, packedBytes: 7 };
const emptyRun: NodeRun = { ...strayRun, packedBytes: 0, packedRecords: Buffer.from('z') };
const hugeRun: NodeRun = { ...emptyRun, packedBytes: 1_500_000 };
const missingRun: NodeRun = nodeRun('A', 0, {}, { recordJson: Buffer.alloc(0), chunkId: 'never-uploaded' });
const headers = Array.from({ length: 101 }, (_, index) => ({ name: `x-${index}`, value: '' }));
const answer = { statusCode: 200, headers: [], body: Buffer.alloc(0) };
const large = 'x'.repeat(600_000);

const step = ({ executionId, fence }: Held) => ({
  executionId,
  fence,
  checkpoint: 0,
  nodeRuns: [nodeRun('A', 0)],
  engineState: Buffer.from('s'),
});
const progressFaults = (good: (held: Held) => object): ListRpc['bad'] => ({
  'a node run without a record': (held) => ({ ...good(held), nodeRuns: [bareRun] }),
  'a node run whose record is in no pack': (held) => ({ ...good(held), nodeRuns: [nodeRun('A', 0), strayRun] }),
  'a node run whose record is behind the end of a pack': (held) => ({
    ...good(held),
    nodeRuns: [{ ...hugeRun, packedBytes: 7 }, nodeRun('A', 1), strayRun],
  }),
  'a node run with a pack that has no byte': (held) => ({ ...good(held), nodeRuns: [emptyRun] }),
  'node runs with too large a pack': (held) => ({
    ...good(held),
    nodeRuns: [hugeRun, { ...strayRun, packedBytes: 1_000_000 }],
  }),
  'a node run whose record was never uploaded': (held) => ({ ...good(held), nodeRuns: [missingRun] }),
  'a node name that is too long': (held) => ({ ...good(held), nodeRuns: [nodeRun('n'.repeat(1_001), 0)] }),
  'invalid custom metadata': (held) => ({ ...good(held), customDataJson: '[' }),
  'an old fence': (held) => ({ ...good(held), fence: held.fence + 7 }),
  'an unknown execution': (held) => ({ ...good(held), executionId: uuidv7() }),
  'an invalid id': (held) => ({ ...good(held), executionId: 'no id' }),
});
const checkpointOf = (held: Held) => ({ ...step(held), checkpoint: 1 });
const waitOf = (held: Held) => ({ ...step(held), lastNode: 'A', resumeTokenHash: hash, childExecutionId: '' });
const reportEntry = ({ executionId, fence }: Held) => reportOf(executionId, fence, { nodeRuns: [nodeRun('A', 0)] });

// The entries of a property are of several kinds; the message accepts any of them.
const entriesOf = <Entry>(entries: readonly object[]): Entry[] => entries as Entry[];

const RPCS: Readonly<Record<string, ListRpc>> = {
  Report: {
    send: (replica, entries) => replica.runner.report({ entries: entriesOf(entries) }),
    good: reportEntry,
    done: { state: 'success', nodeRunCount: 1 },
    bad: {
      ...progressFaults(reportEntry),
      'no end state': (held) => ({ ...reportEntry(held), endState: EndState.END_STATE_UNSPECIFIED }),
      'an answer with too many headers': (held) => ({ ...reportEntry(held), response: { ...answer, headers } }),
      'an answer with no status': (held) => ({ ...reportEntry(held), response: { ...answer, statusCode: 7 } }),
      'a checkpoint that was never stored': (held) => ({ ...reportEntry(held), checkpoint: 9 }),
    },
  },
  Checkpoint: {
    send: (replica, entries) => replica.runner.checkpoint({ entries: entriesOf(entries) }),
    good: checkpointOf,
    done: { state: 'running', nodeRunCount: 1, checkpoint: 1 },
    bad: {
      ...progressFaults(checkpointOf),
      'no number': (held) => ({ ...checkpointOf(held), checkpoint: 0 }),
      'an invalid token hash': (held) => ({ ...checkpointOf(held), resumeTokenHash: 'x' }),
    },
  },
  Wait: {
    send: (replica, entries) => replica.runner.wait({ entries: entriesOf(entries) }),
    good: waitOf,
    done: { state: 'waiting', nodeRunCount: 1, checkpoint: 1 },
    bad: {
      ...progressFaults(waitOf),
      'nothing to wait for': (held) => ({ ...waitOf(held), resumeTokenHash: '' }),
      'too much about its callers': (held) => ({ ...waitOf(held), resumeSettings: { suffix: large.repeat(4) } }),
      'an answer with too many headers': (held) => ({ ...waitOf(held), response: { ...answer, headers } }),
    },
  },
  Release: {
    send: (replica, entries) => replica.runner.release({ entries: entriesOf(entries) }),
    good: step,
    done: { state: 'queued', nodeRunCount: 1, checkpoint: 1, crashes: 0 },
    bad: progressFaults(step),
  },
};

describe("a list of runners' entries", () => {
  let stack: TestStack;
  let replica: Replica;
  let workflow: FakeWorkflow;
  beforeAll(async () => {
    stack = await startTestStack();
    replica = await stack.startReplica();
    workflow = stack.workflows.add();
  });
  afterAll(() => stack.stop());

  const claimed = async (count: number): Promise<Held[]> => {
    const { results } = await replica.executions.startExecutions({
      starts: Array.from({ length: count }, () => webhookStartOf(workflow)),
    });
    const ids = results.map(({ result }) => (result?.$case === 'started' ? result.value.executionId : ''));
    const { executions } = await replica.runner.claim({
      executionIds: ids,
      runnerId: 'r',
      claimId: uuidv7(),
      knownVersionIds: [workflow.versionId],
    });
    return executions.map(({ executionId, fence }) => ({ executionId, fence }));
  };

  it.each(Object.entries(RPCS))(
    '%s: a bad entry of any kind, at any position, gets its own answer, and the good ones are done as if alone',
    async (_, rpc) => {
      const kinds = Object.keys(rpc.bad);
      // Every kind occurs, at random positions among a random number of valid ones.
      const lists = fc
        .array(fc.oneof(fc.constant(undefined), fc.constantFrom(...kinds)), { minLength: 2, maxLength: 12 })
        .map((list) => [...list, undefined]);
      const property = fc.asyncProperty(
        fc.shuffledSubarray(kinds, { minLength: kinds.length }),
        lists,
        async (all, list) => {
          const wanted = [...list, ...all];
          const held = await claimed(wanted.length);
          const entries = wanted.map((kind, index) => {
            const one = held[index] ?? { executionId: '', fence: 0 };
            const make = kind === undefined ? rpc.good : rpc.bad[kind];
            return make?.(one) ?? {};
          });
          const { outcomes, refusals } = await rpc.send(replica, entries);
          expect(outcomes).toHaveLength(wanted.length);
          for (const [index, kind] of wanted.entries()) {
            const record = await stack.stored(held[index]?.executionId ?? '');
            const outcome = outcomes[index];
            if (kind === undefined) {
              expect([index, outcome, record]).toEqual([
                index,
                WriteOutcome.WRITE_OUTCOME_APPLIED,
                expect.objectContaining(rpc.done),
              ]);
              continue;
            }
            expect([
              kind,
              outcome === WriteOutcome.WRITE_OUTCOME_REFUSED || outcome === WriteOutcome.WRITE_OUTCOME_FENCED,
            ]).toEqual([kind, true]);
            expect([kind, refusals?.byPosition[index] !== undefined]).toEqual([
              kind,
              outcome === WriteOutcome.WRITE_OUTCOME_REFUSED,
            ]);
            expect([kind, record]).toEqual([
              kind,
              expect.objectContaining({ state: 'running', nodeRunCount: 0, checkpoint: 0, crashes: 0 }),
            ]);
          }
        },
      );
      await fc.assert(property, { numRuns: 4, seed: 3, endOnFailure: true });
    },
  );

  it('Heartbeat: lost, unknown or malformed claims are reported as such, and the others are renewed', async () => {
    const property = fc.asyncProperty(
      fc.array(fc.constantFrom('good', 'old', 'unknown', 'none'), { minLength: 1, maxLength: 12 }),
      async (kinds) => {
        const held = await claimed(kinds.length);
        const asked = kinds.map((kind, index) => {
          const one = held[index] ?? { executionId: '', fence: 0 };
          return (
            {
              good: one,
              old: { ...one, fence: one.fence + 1 },
              unknown: { ...one, executionId: uuidv7() },
              none: { ...one, executionId: '$where' },
            }[kind] ?? one
          );
        });
        const { outcomes } = await replica.runner.heartbeat({ runnerId: 'r', held: asked });
        expect(outcomes).toEqual(
          kinds.map((kind) =>
            kind === 'good' ? HeartbeatOutcome.HEARTBEAT_OUTCOME_HELD : HeartbeatOutcome.HEARTBEAT_OUTCOME_LOST,
          ),
        );
      },
    );
    await fc.assert(property, { numRuns: 5, seed: 5, endOnFailure: true });
  });

  it('Claim: malformed, unknown or taken ids are refused, and the others are claimed', async () => {
    const property = fc.asyncProperty(
      fc.array(fc.constantFrom('good', 'unknown', 'none', 'taken'), { minLength: 2, maxLength: 12 }),
      async (kinds) => {
        const { results } = await replica.executions.startExecutions({
          starts: kinds.map(() => webhookStartOf(workflow)),
        });
        const ids = results.map(
          ({ result }, index) =>
            ({
              good: result?.$case === 'started' ? result.value.executionId : '',
              unknown: uuidv7(),
              none: 'not an id',
              taken: result?.$case === 'started' ? result.value.executionId : '',
            })[kinds[index] ?? 'none'] ?? '',
        );
        const taken = ids.filter((_, index) => kinds[index] === 'taken');
        if (taken.length > 0)
          await replica.runner.claim({
            executionIds: taken,
            runnerId: 'other',
            claimId: uuidv7(),
            knownVersionIds: [workflow.versionId],
          });
        const { executions } = await replica.runner.claim({
          executionIds: ids,
          runnerId: 'r',
          claimId: uuidv7(),
          knownVersionIds: [workflow.versionId],
        });
        expect(executions.map(({ executionId }) => executionId).sort()).toEqual(
          ids.filter((_, index) => kinds[index] === 'good').sort(),
        );
      },
    );
    await fc.assert(property, { numRuns: 5, seed: 5, endOnFailure: true });
  });

  it('StartExecutions: impossible starts are refused one by one, and the others are stored', async () => {
    const faults = {
      none: { workflowId: 'no id' },
      input: { input: Buffer.from('{') },
      items: { input: Buffer.from('{}') },
      key: { idempotencyKey: 'k'.repeat(300) },
      version: { versionId: 'no id' },
      node: { startNode: '' },
      mode: { mode: ExecutionMode.EXECUTION_MODE_TRIGGER },
    };
    const names: readonly (keyof typeof faults)[] = ['none', 'input', 'items', 'key', 'version', 'node', 'mode'];
    const property = fc.asyncProperty(
      fc.array(fc.constantFrom('good' as const, ...names), { minLength: 1, maxLength: 8 }),
      async (list) => {
        const kinds = [...list, ...names];
        const starts = kinds.map((kind) => webhookStartOf(workflow, kind === 'good' ? {} : faults[kind]));
        const { results } = await replica.executions.startExecutions({ starts });
        expect(results.map(({ result }, index) => [kinds[index], result?.$case])).toEqual(
          kinds.map((kind) => [kind, kind === 'good' ? 'started' : 'error']),
        );
      },
    );
    await fc.assert(property, { numRuns: 5, seed: 9, endOnFailure: true });
  });
});
