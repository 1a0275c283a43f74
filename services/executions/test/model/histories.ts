import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { uuidv7 } from '@weft/service-kit/ids';
import type { CrashPolicy, ExecutionRecord } from '../../src/domain/state/execution';
import { TRANSITIONS, type TransitionName } from '../../src/domain/state/execution-state';
import {
  cancelWrite,
  recheckWrite,
  completeHookWrite,
  wakeWrite,
  admitWrite,
  awaitSlotWrite,
  assignSlotWrite,
} from '../../src/domain/state/free-writes';
import { newExecution } from '../../src/domain/start/new-execution';
import { packSegment } from '../../src/domain/data/node-runs';
import type { ApplyWrite, ClaimExecutions } from '../../src/domain/state/ports';
import {
  checkpointWrite,
  claimWrite,
  unclaimWrite,
  renewClaimWrite,
  releaseWrite,
  heartbeatWrite,
  persistWrite,
  reportWrite,
  respondWrite,
  uploadWrite,
  waitWrite,
} from '../../src/domain/state/run-writes';
import type { FindDue } from '../../src/domain/read/sweep-ports';
import type { Write } from '../../src/domain/state/write';
import { createRunnerSigns } from '../../src/domain/claim/runner-signs';
import { createExpireLeases } from '../../src/jobs/expire-leases';
import { createRepublishUnclaimed } from '../../src/jobs/republish-unclaimed';
import { createTimeOutExecutions } from '../../src/jobs/time-out-executions';
import { checkStep, LEASE_MS, type Ledger } from './invariants';
import type { Subject } from './memory-store';
import { PLAIN_FACTS } from '../../src/domain/testing/plain-run';

const RETENTION_MS = 1_000;

/** Commands of a runner with a fence. */
const FENCED = {
  heartbeat: 1,
  persist: 1,
  checkpoint: 1,
  upload: 1,
  respond: 1,
  report: 1,
  wait: 1,
  release: 1,
  unclaim: 1,
  assignSlot: 1,
  awaitSlot: 1,
};

/** Commands on an execution. `pick` selects among existing values: a fence, a claim id, a kind. */
export interface Command {
  readonly kind:
    | 'claim'
    | 'heartbeat'
    | 'persist'
    | 'checkpoint'
    | 'upload'
    | 'respond'
    | 'report'
    | 'wait'
    | 'wake'
    | 'recheck'
    | 'release'
    | 'unclaim'
    | 'assignSlot'
    | 'awaitSlot'
    | 'admit'
    | 'cancel'
    | 'sweep'
    | 'ended'
    | 'clock'
    | 'completeAction';
  readonly pick: number;
}

/** A history of one execution. */
export interface History {
  readonly policy: CrashPolicy;
  readonly hasDeadline: boolean;
  readonly commands: readonly Command[];
}

const kind = fc.oneof(
  { weight: 6, arbitrary: fc.constant('claim' as const) },
  { weight: 4, arbitrary: fc.constantFrom('sweep' as const, 'clock' as const, 'checkpoint' as const) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      'heartbeat' as const,
      'wait' as const,
      'wake' as const,
      'release' as const,
      'ended' as const,
      'completeAction' as const,
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom('respond' as const, 'upload' as const, 'recheck' as const, 'unclaim' as const),
  },
  { weight: 1, arbitrary: fc.constant('persist' as const) },
  { weight: 1, arbitrary: fc.constantFrom('assignSlot' as const, 'awaitSlot' as const, 'admit' as const) },
  { weight: 1, arbitrary: fc.constantFrom('report' as const, 'cancel' as const) },
);

/** Any history, including clock jumps and runners that return after their death. */
export const anyHistory: fc.Arbitrary<History> = fc.record({
  policy: fc.constantFrom('resume' as const, 'restart' as const, 'fail' as const),
  hasDeadline: fc.boolean(),
  commands: fc.array(fc.record({ kind, pick: fc.nat(11) }), { minLength: 10, maxLength: 60 }),
});

const facts = (policy: CrashPolicy, hasDeadline: boolean) => ({
  ...PLAIN_FACTS,
  crashPolicy: policy,
  errorWorkflow: 'e',
  keeps: { success: true, error: false, manual: true },
  concurrency: { key: '', limit: 1, whenFull: 'queue' as const },
  ...(hasDeadline ? { timeoutMs: 500_000 } : {}),
});

class Life {
  readonly id = uuidv7();
  readonly ledger: Ledger = { claims: new Map(), lastClaim: '', deathsAlone: 0 };
  /** Far ahead, so that no store deletes expired documents within a history. */
  // In the future, so that no ended execution expires meanwhile; before 2038, the maximum expiry of some servers.
  now = 2_000_000_000_000;
  #claims = 0;
  #attempt = 0;
  /** Monotonic milliseconds. */
  #elapsed = 0;
  readonly #signs = createRunnerSigns(
    () => this.#elapsed,
    () => undefined,
  );
  #watched: { readonly lease: string; readonly since: number } = { lease: '', since: 0 };
  readonly #expireLeases: () => Promise<boolean>;
  #running: readonly ExecutionRecord[] = [];
  #renewedAt = Number.NEGATIVE_INFINITY;
  #claimed: { fence?: number; checkpoint?: number } = {};
  readonly #apply: ApplyWrite;
  readonly #claim: ClaimExecutions;

  constructor(
    readonly subject: Subject,
    readonly seen: Set<TransitionName>,
  ) {
    this.#apply = async (id, write) => {
      const outcome = await subject.apply(id, write);
      if (outcome.outcome === 'applied') seen.add(write.transition);
      return outcome;
    };
    this.#claim = subject.claim;
    this.#expireLeases = createExpireLeases({
      findDue: { running: () => Promise.resolve(this.#running) },
      apply: this.#apply,
      signs: this.#signs,
      publish: () => undefined,
      clock: () => this.now,
      monotonic: () => this.#elapsed,
      leaseMs: LEASE_MS,
      retentionMs: RETENTION_MS,
      quarantine: () => Promise.resolve(),
      onExpired: () => undefined,
      random: () => 0.5,
    });
  }

  async read(): Promise<ExecutionRecord> {
    const record = await this.subject.read(this.id);
    if (record === undefined) throw new Error('The execution was deleted.');
    return record;
  }

  /** Executes one command and checks its effect. */
  async step({ kind: what, pick }: Command): Promise<void> {
    const before = await this.read();
    this.#claimed = {};
    this.#renewedAt = Number.NEGATIVE_INFINITY;
    const outcome = await this.do(what, pick, before);
    checkStep({
      before,
      after: await this.read(),
      command: what,
      outcome,
      claimed: this.#claimed,
      now: this.now,
      watchedMs: this.#elapsed - this.#watched.since,
      isRenewed: this.#renewedAt === this.now,
      ledger: this.ledger,
    });
  }

  async do(what: Command['kind'], pick: number, before: ExecutionRecord): Promise<string> {
    if (what === 'clock') return this.turnClock(pick);
    if (what === 'claim') return this.claim(pick, before);
    if (what === 'sweep') return this.sweep(pick);
    if (what === 'ended') return this.reportEnd(pick, before);
    const write = await this.formWrite(what, pick, before);
    return write === undefined ? 'none' : (await this.#apply(this.id, write)).outcome;
  }

  turnClock(pick: number): string {
    this.#elapsed += [1_000, 5_000, 20_000, 34_000, 61_000, 300_000, 600_000, 1_000, 34_000, 0, 10, 0][pick] ?? 0;
    this.now += [1_000, 5_000, 20_000, 36_000, 61_000, 300_000, 600_000, -1_000, -36_000, -600_000, 10, 0][pick] ?? 0;
    return 'none';
  }

  async claim(pick: number, before: ExecutionRecord): Promise<string> {
    const isRepeated = pick % 4 === 0 && this.ledger.lastClaim !== '';
    this.#claims += 1;
    this.#attempt = isRepeated ? this.#attempt + (pick === 8 ? 0 : 1) : 0;
    const claimId = isRepeated ? this.ledger.lastClaim : `c${this.#claims}`;
    const stamp = {
      claimId,
      attempt: this.#attempt,
      // Isolated runs are in a child process.
      runnerId: pick % 3 === 0 ? this.runnerId(pick) : `${this.runnerId(pick)}.c${this.#claims}`,
      isolated: pick % 3 !== 0,
      engineStateVersions: [1],
    };
    const now = new Date(this.now);
    const [held] = await this.#claim([this.id], {
      ...stamp,
      take: claimWrite(stamp, now, LEASE_MS),
      renew: renewClaimWrite(stamp, now, LEASE_MS),
    });
    this.ledger.lastClaim = claimId;
    if (held !== undefined) this.seen.add(held.fence > before.fence ? 'claim' : 'renewClaim');
    return held === undefined ? 'fenced' : 'claimed';
  }

  /** Starts of the three runners. */
  readonly #starts = [1, 1, 1];

  runnerId(pick: number): string {
    return `r${pick % 3}.${String(this.#starts[pick % 3]).padStart(6, '0')}`;
  }

  /** Follows the lease as the check of leases does. */
  watch({ state, fence, lease }: ExecutionRecord): void {
    const seen = state === 'running' ? `${fence} ${lease?.until.getTime() ?? ''}` : '';
    if (seen === '' || this.#watched.lease !== seen) this.#watched = { lease: seen, since: this.#elapsed };
  }

  /**
   * A runner reports the exit of a child process, or is started again and reports that, perhaps twice; the claims of
   * these processes end, and no others.
   */
  async reportEnd(pick: number, before: ExecutionRecord): Promise<string> {
    const runner = this.runnerId(pick);
    const holder = before.lease?.runnerId ?? '';
    const isChild = holder.startsWith(`${runner}.`);
    const isReported = isChild && pick > 5;
    const isEnded = isReported || isChild || holder === runner;
    if (!isReported) this.#starts[pick % 3] = (this.#starts[pick % 3] ?? 0) + 1;
    const report = { runnerId: this.runnerId(pick), ...(isReported ? { endedId: holder } : {}) };
    if (isEnded && before.state === 'running') this.noteDeath(before, isReported ? 1 : 1 / 2);
    for (let times = pick % 2; times >= 0; times -= 1) assert.ok(this.#signs.ended(report));
    this.watch(before);
    this.#running = before.state === 'running' ? [before] : [];
    await this.#expireLeases();
    const { state, lease } = await this.read();
    if (isEnded) assert.equal(lease, undefined, 'a lease outlived its process');
    else if (before.lease !== undefined && state !== 'running')
      assert.equal(
        this.#elapsed - this.#watched.since >= LEASE_MS,
        true,
        'a lease ended with the process of another runner',
      );
    return 'none';
  }

  noteDeath(
    { lease, fence, actedFence, crashPolicy, nodeRunCount, runsAtCrash }: ExecutionRecord,
    weight: number,
  ): void {
    if (crashPolicy === 'resume' && nodeRunCount > runsAtCrash) this.ledger.deathsAlone = 0;
    if (lease?.alone === true && actedFence === fence) this.ledger.deathsAlone += weight;
  }

  /** Sometimes the runner renews its lease between the sweeper's read and its write. */
  async sweep(pick: number): Promise<string> {
    const record = await this.read();
    this.watch(record);
    const isRenewed =
      pick % 4 === 0 &&
      (await this.#apply(this.id, heartbeatWrite(record.fence, new Date(this.now), LEASE_MS))).outcome === 'applied';
    if (isRenewed) this.#renewedAt = this.now;
    const when = (isDue: boolean): Promise<ExecutionRecord[]> => Promise.resolve(isDue ? [record] : []);
    const findDue: FindDue = {
      running: () => when(record.state === 'running'),
      pastDeadline: (now) => when(record.deadlineAt !== undefined && record.deadlineAt < now),
      unclaimed: (now) => when(record.state === 'queued' && record.publishAt !== undefined && record.publishAt < now),
      dueWaits: () => when(false),
      queuedAfter: () => when(false),
      dueCompletionHooks: () => when(false),
    };
    const alone = {
      share: { count: () => 1, isMine: () => true },
      backlog: () => 0,
      oldestWaiting: () => Promise.resolve({ queue: undefined, overflow: undefined, isolated: undefined }),
      holdsBack: () => false,
      overflows: () => false,
      postpone: () => Promise.resolve(),
      takeRunnerEnd: () => undefined,
    };
    const ports = {
      ...alone,
      findDue,
      apply: this.#apply,
      clock: () => this.now,
      leaseMs: LEASE_MS,
      retentionMs: RETENTION_MS,
      publish: () => undefined,
    };
    this.#running = record.state === 'running' ? [record] : [];
    await this.#expireLeases();
    await createTimeOutExecutions(ports)();
    await createRepublishUnclaimed(ports)();
    return 'none';
  }

  async formWrite(
    what: Exclude<Command['kind'], 'clock' | 'claim' | 'sweep' | 'ended'>,
    pick: number,
    before: ExecutionRecord,
  ): Promise<Write | undefined> {
    const now = new Date(this.now);
    // Mostly the current fence; sometimes that of an abandoned runner, or a forged one.
    const fence = before.fence + ([0, 0, 0, 0, 0, 0, 0, 0, -1, -2, 1, 0][pick] ?? 0);
    const progress = {
      segments: [
        await packSegment(
          [{ node: 'N', run: 0, executionIndex: before.nodeRunCount, failed: false, record: Buffer.from('{}') }],
          Math.max(0, fence),
        ),
      ],
      engineState: { version: 1, bytes: Buffer.from('s') },
      lastNode: 'N',
    };
    const answer = { statusCode: 200, headers: [] };
    const number = before.checkpoint + (pick % 5 === 0 ? 0 : 1);
    if (what in FENCED) this.#claimed = { fence, ...(what === 'checkpoint' ? { checkpoint: number } : {}) };
    switch (what) {
      case 'heartbeat':
        return heartbeatWrite(fence, now, LEASE_MS, { isWaiting: pick % 3 === 0, isShared: pick === 10 });
      case 'persist':
        return persistWrite(fence);
      case 'checkpoint':
        return checkpointWrite(fence, number, progress);
      case 'upload':
        return uploadWrite(fence, 100);
      case 'respond':
        return respondWrite(fence, answer);
      case 'report':
        return reportWrite(
          {
            fence,
            checkpoint: before.checkpoint,
            ...(pick % 2 === 0 ? {} : { error: { reason: 'R', message: '', node: '', errorJson: '' } }),
          },
          progress,
          now,
          { ms: RETENTION_MS, isDefault: true },
        );
      case 'wait':
        return waitWrite(
          fence,
          before.checkpoint,
          progress,
          pick % 2 === 0
            ? { tokenHash: 't' }
            : { checkAt: new Date(this.now + 5_000), resumeAt: new Date(this.now + 5_000) },
        );
      case 'wake':
        return pick % 3 === 0
          ? wakeWrite(
              { 'wait.tokenHash': pick === 9 ? 'wrong' : 't' },
              { kind: 'webhook', itemsJson: Buffer.from('[]') },
              now,
            )
          : wakeWrite({ 'wait.checkAt': before.wait?.checkAt ?? now }, { kind: 'timer' }, now);
      case 'recheck':
        return before.wait?.checkAt === undefined
          ? undefined
          : recheckWrite(before.wait?.checkAt, new Date(this.now + 60_000));
      case 'release':
        return releaseWrite(fence, before.checkpoint, progress, now);
      case 'unclaim':
        return unclaimWrite(fence, pick % 5, now);
      case 'assignSlot':
        return assignSlotWrite(fence, 'p');
      case 'awaitSlot':
        return awaitSlotWrite(fence, 'p');
      case 'admit':
        return admitWrite(pick === 9 ? 'wrong' : 'p', now);
      case 'cancel':
        return cancelWrite(now, RETENTION_MS);
      case 'completeAction':
        return before.postRunActions[0] === undefined ? undefined : completeHookWrite(before.postRunActions[0]);
    }
  }
}

/** Executes a history on a subject, checking every invariant after every command. `seen` collects the rows used. */
export const live = async (history: History, subject: Subject, seen: Set<TransitionName>): Promise<void> => {
  const life = new Life(subject, seen);
  const options = {
    id: life.id,
    workflowId: 'w',
    versionId: 'v',
    ownerId: 'o',
    startNode: 'S',
    mode: 'webhook' as const,
    facts: facts(history.policy, history.hasDeadline),
    usePinData: true,
    input: {},
  };
  await subject.insert(newExecution(options, life.now));
  for (const command of history.commands) await life.step(command);
};

/** All rows of the table. */
export const ALL_TRANSITIONS: readonly string[] = Object.keys(TRANSITIONS);
