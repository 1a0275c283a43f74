import {
  HeartbeatOutcome,
  RunnerServiceService,
  WriteOutcome,
  type CheckpointEntry,
  type ClaimedExecution,
  type EngineStateVersions,
  type ReleaseEntry,
  type ReportEntry,
  type WaitEntry,
  type RunProgress,
} from '@weft/proto/runner';
import { OfferServiceService } from '@weft/proto/offers';
import { ServiceError, Unavailable } from '@weft/service-kit/errors';
import { bindService, type Handlers } from '@weft/service-kit/grpc';
import { uuidv7 } from '@weft/service-kit/ids';
import { startFakePeer, type FakePeer } from '@weft/service-kit/testing';
import { setTimeout as sleep } from 'node:timers/promises';

/** A node of a definition. */
export const node = (name: string, kind: string, typeVersion: number, parameters: object) => ({
  name,
  type: `x-nodes-base.${kind}`,
  typeVersion,
  position: [0, 0],
  parameters,
});
/** A definition with a chain of nodes. */
export const definitionOf = (nodes: readonly { name: string }[]) => ({
  name: 'w',
  nodes,
  settings: { executionOrder: 'v1' },
  connections: Object.fromEntries(
    nodes.slice(1).map(({ name }, index) => [nodes[index]?.name, { main: [[{ node: name, type: 'main', index: 0 }]] }]),
  ),
});

/** The executions service as a runner sees it, with the calls it received. */
export class FakeExecutions {
  readonly queued = new Map<string, object>();
  readonly reports: ReportEntry[] = [];
  readonly checkpoints: CheckpointEntry[] = [];
  readonly released: ReleaseEntry[] = [];
  readonly waits: WaitEntry[] = [];
  readonly claims: string[][] = [];
  /** Offers for waiting claims, and how many executions each of these requested. */
  readonly offered: string[] = [];
  readonly waiting: number[] = [];
  /** Executions whose definition is damaged. */
  readonly unreadable = new Set<string>();
  readonly taken = new Set<string>();
  /** Executions claimed by each claim id. */
  readonly won = new Map<string, readonly string[]>();
  readonly uploaded = new Set<string>();
  readonly attempts: (number | undefined)[] = [];
  /** Number of claim responses to lose after the claim was carried out. */
  lostAnswers = 0;
  /** Inputs that lie in a chunk, by execution; undefined: the chunk is missing. */
  readonly chunks = new Map<string, string | undefined>();
  /** Number of chunk reads that fail as unavailable before one works. */
  chunksDown = 0;
  chunkReads = 0;
  isDown = false;
  refused = 0;
  heartbeat = HeartbeatOutcome.HEARTBEAT_OUTCOME_HELD;
  /** Outcomes for single executions, which override the one for all. */
  readonly outcomes = new Map<string, HeartbeatOutcome>();
  /** Executions whose claims were renewed by heartbeats. */
  readonly asked: string[] = [];
  /** Progress in heartbeats. */
  readonly progress: RunProgress[] = [];
  leaseMs = 30_000;
  /** Set: claimed executions are not stored yet. */
  firstLeaseMs: number | undefined;
  /** Executions that were to be made durable, and the outcome. */
  readonly persisted: string[] = [];
  persistOutcome = WriteOutcome.WRITE_OUTCOME_APPLIED;
  /** Additional fields of claims. */
  carried: Partial<ClaimedExecution> = {};
  /** The same for one execution. */
  readonly carriedOf = new Map<string, Partial<ClaimedExecution>>();
  /** Executions that need a runner of another release. */
  readonly unreadableIds = new Set<string>();
  /** Versions of the engine state listed in claims. */
  readonly claimedVersions: (EngineStateVersions | undefined)[] = [];
  chunk = '';

  add(definition: object): string {
    const id = uuidv7();
    this.queued.set(id, definition);
    return id;
  }

  readonly #getChunk = async function* (
    this: FakeExecutions,
    { executionId, chunkId }: { readonly executionId: string; readonly chunkId: string },
  ) {
    this.chunkReads += 1;
    if (this.chunkReads <= this.chunksDown) throw new Unavailable('a replica restarts');
    if (this.chunks.has(executionId)) {
      const input = this.chunks.get(executionId);
      if (input === undefined)
        throw new ServiceError({
          reason: 'CHUNK_NOT_FOUND',
          kind: 'not-found',
          message: `The execution has no complete chunk ${chunkId}.`,
        });
      yield { data: Buffer.from(input) };
      return;
    }
    yield { data: Buffer.from(this.chunk) };
  }.bind(this);

  readonly #readNodeRuns = async function* () {
    yield {
      nodeRuns: [
        { node: 'Start', run: 0, executionIndex: 0, failed: false, recordJson: Buffer.alloc(0), chunkId: 'large' },
      ],
    };
  };

  /** Returns the next of `offered` to a waiting claim. */
  readonly claimOffered: Handlers<typeof OfferServiceService>['claimOffered'] = async (request, context) => {
    const { signal } = context;
    this.waiting.push(request.maxExecutions);
    const end = performance.now() + request.waitMs;
    while (this.offered.length === 0 && performance.now() < end && !signal.aborted) await sleep(5);
    const executionIds = this.offered.splice(0, request.maxExecutions);
    if (executionIds.length === 0) return { claim: undefined, waitedMs: request.waitMs };
    const { runnerId, claimId, knownVersionIds, engineStateVersions } = request;
    const claim = await this.handlers().claim(
      { executionIds, runnerId, claimId, knownVersionIds, engineStateVersions },
      context,
    );
    return { claim, waitedMs: 0 };
  };

  readonly handlers = (): Handlers<typeof RunnerServiceService> => {
    const refuse = () =>
      Promise.reject(new ServiceError({ reason: 'NOT_USED', kind: 'internal', message: 'not used' }));
    const accepted = (entries: readonly unknown[]) =>
      Promise.resolve({ outcomes: entries.map(() => WriteOutcome.WRITE_OUTCOME_APPLIED) });
    return {
      claim: ({ executionIds, claimId, attempt, knownVersionIds, engineStateVersions }) => {
        this.attempts.push(attempt);
        this.claimedVersions.push(engineStateVersions);
        if (this.isDown) {
          this.refused += 1;
          return Promise.reject(new Unavailable('down'));
        }
        this.claims.push(executionIds);
        const won = executionIds.filter(
          (id) =>
            this.queued.has(id) &&
            !this.unreadableIds.has(id) &&
            (this.won.get(claimId)?.includes(id) ?? !this.taken.has(id)),
        );
        this.won.set(claimId, won);
        for (const id of won) this.taken.add(id);
        if (this.lostAnswers > 0) {
          this.lostAnswers -= 1;
          return Promise.reject(new Unavailable('the answer is lost'));
        }
        const versions = won
          .filter((id) => !knownVersionIds.includes(id))
          .map((id) => ({
            versionId: id,
            workflowId: 'w',
            ownerId: 'o',
            definition: Buffer.from(this.unreadable.has(id) ? '{' : JSON.stringify(this.queued.get(id))),
          }));
        const executions = won.map((id) => ({
          ...claimed(id),
          ...this.carried,
          ...this.carriedOf.get(id),
          ...(this.chunks.has(id) ? { input: Buffer.alloc(0), inputChunkId: `0.input-${id}` } : {}),
        }));
        for (const id of won) this.queued.delete(id);
        return Promise.resolve({
          executions,
          versions,
          refusedIds: executionIds.filter((id) => !won.includes(id)),
          isolatedIds: [],
          unreadableIds: executionIds.filter((id) => this.unreadableIds.has(id)),
          leaseMs: this.leaseMs,
          ...(this.firstLeaseMs === undefined ? {} : { firstLeaseMs: this.firstLeaseMs }),
        });
      },
      heartbeat: ({ held }) => {
        this.asked.push(...held.map(({ executionId }) => executionId));
        this.progress.push(...held.flatMap(({ progress }) => progress ?? []));
        return Promise.resolve({
          outcomes: held.map(({ executionId }) => this.outcomes.get(executionId) ?? this.heartbeat),
        });
      },
      persist: ({ entries }) => {
        this.persisted.push(...entries.map(({ executionId }) => executionId));
        return Promise.resolve({ outcomes: entries.map(() => this.persistOutcome) });
      },
      checkpoint: ({ entries }) => {
        this.checkpoints.push(...entries);
        return accepted(entries);
      },
      report: ({ entries }) => {
        this.reports.push(...entries);
        return accepted(entries);
      },
      release: ({ entries }) => {
        this.released.push(...entries);
        return accepted(entries);
      },
      wait: ({ entries }) => {
        this.waits.push(...entries);
        return accepted(entries);
      },
      respond: refuse,
      startChild: refuse,
      acquireSlot: refuse,
      findFirstResult: refuse,
      countModelTokens: refuse,
      endRunner: () => Promise.resolve({}),
      putChunk: async (messages) => {
        for await (const message of messages) this.uploaded.add(message.chunkId);
        return { outcome: WriteOutcome.WRITE_OUTCOME_APPLIED };
      },
      getChunk: this.#getChunk,
      readNodeRuns: this.#readNodeRuns,
    };
  };
}

const claimed = (id: string): ClaimedExecution => ({
  executionId: id,
  fence: 1,
  workflowId: 'w',
  versionId: id,
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
});

/** Returns twice the number it was started with. */
export const doubling = definitionOf([
  node('Start', 'manualTrigger', 1, {}),
  node('Set', 'set', 3.4, {
    mode: 'manual',
    options: {},
    assignments: { assignments: [{ id: 'a', name: 'n', type: 'number', value: '={{ $json.n * 2 }}' }] },
  }),
]);

/**
 * Serves a fake executions service.
 * @param isOffering whether claims may wait there for offers
 */
export const serveExecutions = (
  executions: FakeExecutions,
  publicKeys: string,
  isOffering = false,
): Promise<FakePeer> => {
  const rule = { services: ['runner'] };
  const access = {
    claim: rule,
    heartbeat: rule,
    persist: rule,
    checkpoint: rule,
    report: rule,
    respond: rule,
    wait: rule,
    release: rule,
    startChild: rule,
    acquireSlot: rule,
    findFirstResult: rule,
    countModelTokens: rule,
    endRunner: rule,
    putChunk: rule,
    getChunk: rule,
    readNodeRuns: rule,
  };
  return startFakePeer({
    name: 'executions',
    publicKeys,
    services: [
      bindService(RunnerServiceService, executions.handlers(), access),
      ...(isOffering
        ? [bindService(OfferServiceService, { claimOffered: executions.claimOffered }, { claimOffered: rule })]
        : []),
    ],
  });
};
