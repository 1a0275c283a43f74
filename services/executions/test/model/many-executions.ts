import { strict as assert } from 'node:assert';
import { EndState, WriteOutcome, type ReportEntry } from '@weft/proto/runner';
import { fromRpcStatus } from '@weft/service-kit/grpc';
import { uuidv7 } from '@weft/service-kit/ids';
import { ChunkNotFound } from '../../src/domain/state/errors';
import type { ExecutionRecord } from '../../src/domain/state/execution';
import { isEndState } from '../../src/domain/state/execution-state';
import { DISCONNECTED_MS } from '../../src/domain/state/back-off';
import { MAX_DEATHS_ALONE } from '../../src/domain/state/lease-end';
import { newExecution } from '../../src/domain/start/new-execution';
import type { ReportExecution } from '../../src/domain/step/report-executions';
import { claimWrite, heartbeatWrite, renewClaimWrite, reportWrite } from '../../src/domain/state/run-writes';
import type { Write } from '../../src/domain/state/write';
import { createProcessEntries, type ProcessEntries, toOutcomeMessage } from '../../src/handlers/runs/process-entries';
import { reportHandler } from '../../src/handlers/runs/steps';
import { createRunnerSigns } from '../../src/domain/claim/runner-signs';
import { createExpireLeases } from '../../src/jobs/expire-leases';
import type { Event, Mistakes, Nature, Story } from './any-story';
import { checkStep, LEASE_MS, type Ledger } from './invariants';
import { createMemoryStore } from './memory-store';
import { PLAIN_FACTS } from '../../src/domain/testing/plain-run';

const RETENTION_MS = 1_000;
const RUNNERS = 2;

const FACTS = { ...PLAIN_FACTS, errorWorkflow: 'e', keeps: { success: true, error: false, manual: true } };

/** One execution, its kind, and its history. */
interface Member {
  readonly id: string;
  readonly nature: Nature;
  readonly ledger: Ledger;
  /** Runners that died, froze or were disconnected while they held it. */
  bereaved: number;
}

type Hold = Map<string, number>;

/** The process of a runner for isolated runs. */
interface Child {
  readonly id: string;
  readonly held: Hold;
  /** Other runs may share it. */
  isShared: boolean;
}

/** Makes a refusal of one entry fail all others, which a list RPC must not do. */
const answerAll: ProcessEntries = async (entries, carryOut) => ({
  outcomes: (await Promise.all(entries.map(async (entry) => carryOut(entry)))).map(toOutcomeMessage),
});

const withoutFence = (write: Write): Write => {
  const { fence: _fence, ...where } = write.where;
  return { ...write, where };
};

/**
 * Several executions on the state table, behind the real handler of Report and the real sweeper, with simulated
 * runners.
 */
class World {
  readonly #store = createMemoryStore();
  readonly #members: readonly Member[];
  readonly #runners: Hold[] = Array.from({ length: RUNNERS }, () => new Map<string, number>());
  readonly #frozen: Hold[] = [];
  readonly #mistakes: Mistakes;
  readonly #sweep: () => Promise<boolean>;
  readonly #report: (
    entries: ReportEntry[],
  ) => Promise<{ readonly outcomes: readonly WriteOutcome[]; readonly reasons: readonly (string | undefined)[] }>;
  // As in the histories of one: in the future, before 2038.
  #now = 2_000_000_000_000;
  #elapsed = 0;
  readonly #signs = createRunnerSigns(
    () => this.#elapsed,
    () => undefined,
  );
  #claims = 0;

  constructor(natures: readonly Nature[], mistakes: Mistakes) {
    this.#mistakes = mistakes;
    this.#members = natures.map((nature) => ({
      id: uuidv7(),
      nature,
      ledger: { claims: new Map(), lastClaim: '', deathsAlone: 0 },
      bereaved: 0,
    }));
    this.#sweep = createExpireLeases({
      findDue: { running: async () => (await this.#records()).filter(({ state }) => state === 'running') },
      apply: this.#store.apply,
      signs: this.#signs,
      publish: () => undefined,
      clock: () => this.#now,
      monotonic: () => this.#elapsed,
      leaseMs: LEASE_MS,
      retentionMs: RETENTION_MS,
      quarantine: () => Promise.resolve(),
      onExpired: () => undefined,
      random: () => 0.5,
    });
    const store: ReportExecution = async ({ executionId, fence, checkpoint, error, nodeRuns }) => {
      const [missing] = nodeRuns.flatMap(({ uploadId }) => uploadId ?? []);
      if (missing !== undefined) throw new ChunkNotFound(missing);
      const write = reportWrite(
        { fence, checkpoint, ...(error === undefined ? {} : { error }) },
        {},
        new Date(this.#now),
        { ms: RETENTION_MS, isDefault: true },
      );
      return (await this.#store.apply(executionId, mistakes.noFence === true ? withoutFence(write) : write)).outcome;
    };
    const handle = reportHandler(
      store,
      mistakes.wholeBatchRefused === true
        ? answerAll
        : createProcessEntries(
            () => undefined,
            () => Promise.resolve(true),
          ),
    );
    const context = { requestId: 'r', service: 'runner', principal: undefined, signal: new AbortController().signal };
    this.#report = async (entries) => {
      const { outcomes, refusals } = await handle({ entries }, context);
      return {
        outcomes,
        reasons: entries
          .map((_, position) => refusals?.byPosition[position])
          .map((status) => (status === undefined ? undefined : fromRpcStatus(status).reason)),
      };
    };
  }

  async begin(): Promise<void> {
    for (const [position, { id }] of this.#members.entries()) {
      await this.#store.insert(
        newExecution(
          {
            id,
            workflowId: 'w',
            versionId: `v${position % 2}`,
            ownerId: 'o',
            startNode: 'S',
            mode: 'webhook',
            facts: FACTS,
            usePinData: true,
            input: {},
          },
          this.#now,
        ),
      );
    }
  }

  async #read(id: string): Promise<ExecutionRecord> {
    const record = await this.#store.read(id);
    assert.ok(record !== undefined, 'an execution was deleted');
    return record;
  }

  #records(): Promise<ExecutionRecord[]> {
    return Promise.all(this.#members.map(({ id }) => this.#read(id)));
  }

  #member(id: string): Member {
    const found = this.#members.find((member) => member.id === id);
    assert.ok(found !== undefined);
    return found;
  }

  /** Consequences of an event, which are checked separately. */
  readonly #consequences: (() => Promise<void>)[] = [];

  /** Executes one event and its consequences, and checks every execution after each. */
  async step(event: Event): Promise<void> {
    await this.#check(() => this.#do(event));
    for (const consequence of this.#consequences.splice(0)) await this.#check(consequence);
  }

  async #check(act: () => Promise<void>): Promise<void> {
    const before = await this.#records();
    await act();
    const after = await this.#records();
    for (const [index, member] of this.#members.entries()) {
      const [was, is] = [before[index], after[index]];
      assert.ok(was !== undefined && is !== undefined);
      // The holder is checked when it writes; here the invariants of each execution are checked separately.
      checkStep({
        before: was,
        after: is,
        command: 'many',
        outcome: 'none',
        claimed: {},
        now: this.#now,
        watchedMs: 0,
        isRenewed: false,
        ledger: member.ledger,
      });
      assert.ok(
        is.crashes <= member.bereaved,
        `a ${member.nature} run has ${is.crashes} crashes, and lost ${member.bereaved} runners`,
      );
      // `checkStep` knows how often its process died while it was isolated alone in it. Only a fault of the
      // machine that hits exactly this process twice makes a healthy run look like a killer.
      if (is.state === 'crashed' && member.ledger.deathsAlone < MAX_DEATHS_ALONE)
        assert.equal(member.nature, 'killer', `a ${member.nature} run was given up`);
      if (is.runsAlone === true && was.runsAlone !== true) this.#checkIsolated(was, before, after);
    }
  }

  /** A run is isolated after two losses, or if no other one of its process was active, or one of its version is. */
  #checkIsolated(was: ExecutionRecord, before: readonly ExecutionRecord[], after: readonly ExecutionRecord[]): void {
    const active = before.filter(({ lease }) => lease?.runnerId === was.lease?.runnerId && lease?.waits !== true);
    const suspects = after.filter(
      ({ _id, versionId, runsAlone }) =>
        versionId === was.versionId && runsAlone === true && this.#member(_id).bereaved >= 2,
    );
    assert.ok(
      this.#member(was._id).bereaved >= 2 || active.length === 1 || suspects.length > 0,
      'a run was isolated after the first loss that it shared',
    );
  }

  async #do({ kind, pick }: Event): Promise<void> {
    const runner = pick % RUNNERS;
    switch (kind) {
      case 'claim':
        return this.#claim(runner, false);
      case 'lostClaim':
        return this.#claim(runner, true);
      case 'work':
        return this.#work(runner);
      case 'report':
        return this.#end(runner, false);
      case 'lostReport':
        return this.#end(runner, true);
      case 'die':
        return this.#die(runner);
      case 'exit':
        return this.#exit(runner, pick);
      case 'share':
        return this.#share(runner);
      case 'restart':
        return this.#restart(runner, pick);
      case 'disconnect':
        return this.#disconnect(runner);
      case 'freeze':
        return this.#freeze(runner);
      case 'wakeUp':
        return this.#wakeUp();
      case 'clock':
        return void (this.#now += [1_000, 60_000, -60_000, 600_000, -600_000, 0][pick % 6] ?? 0);
      case 'sweep':
        return this.pass();
    }
  }

  /** Time passes on every clock, beyond any lease, with a check by the sweeper before and after. */
  async pass(): Promise<void> {
    // No claim is renewed meanwhile: every holder is disconnected.
    for (const id of this.#allHeld()) this.#member(id).bereaved += 1;
    await this.#sweep();
    this.#now += 2 * LEASE_MS;
    this.#elapsed += 2 * LEASE_MS;
    await this.#sweep();
    this.#now += 120_000;
    this.#elapsed += 120_000;
  }

  /**
   * A runner claims all queued executions: those to be isolated one at a time, in a separate process. Without isolation
   * it claims all of them alike.
   */
  async #claim(index: number, isLost: boolean): Promise<void> {
    const queued = (await this.#records()).filter(({ state }) => state === 'queued');
    if (this.#mistakes.noIsolation === true)
      return this.#take(this.#runners[index], queued, this.#idOf(index), true, isLost);
    const shared = queued.filter(({ runsAlone }) => runsAlone !== true);
    await this.#take(this.#runners[index], shared, this.#idOf(index), false, isLost);
    const lonely = queued.find(({ runsAlone }) => runsAlone === true);
    const child = (this.#children[index] ??= {
      id: `${this.#idOf(index)}.${(this.#claims += 1)}`,
      held: new Map(),
      isShared: true,
    });
    if (lonely === undefined || !child.isShared) return;
    await this.#take(child.held, [lonely], child.id, true, isLost);
    child.isShared = false;
    // Before its first node the service learns that it is active, and whether others are there.
    await this.#confirm(child);
  }

  async #take(
    held: Hold | undefined,
    wanted: readonly ExecutionRecord[],
    runnerId: string,
    isolated: boolean,
    isLost: boolean,
  ): Promise<void> {
    if (wanted.length === 0 || held === undefined) return;
    this.#claims += 1;
    const claimId = `c${this.#claims}`;
    const take = async (attempt: number) => {
      const stamp = { claimId, attempt, runnerId, isolated, engineStateVersions: [1] };
      const now = new Date(this.#now);
      return this.#store.claim(
        wanted.map(({ _id }) => _id),
        { claimId, attempt, take: claimWrite(stamp, now, LEASE_MS), renew: renewClaimWrite(stamp, now, LEASE_MS) },
      );
    };
    const first = await take(0);
    const won = isLost ? await take(1) : first;
    assert.equal(won.length, first.length, 'a claim that was sent again won something else');
    for (const { _id, fence } of won) held.set(_id, fence);
  }

  readonly #children: (Child | undefined)[] = Array.from({ length: RUNNERS }, () => undefined);

  #allHeld(): readonly string[] {
    const holds = [...this.#runners, ...this.#children.map((child) => child?.held ?? new Map<string, number>())];
    return holds.flatMap((held) => [...held.keys()]);
  }

  async #renew(held: Hold, isShared: boolean, isWaiting: (id: string) => boolean): Promise<void> {
    for (const [id, fence] of held) {
      const beat = { isShared, isWaiting: isWaiting(id) };
      const { outcome } = await this.#store.apply(id, heartbeatWrite(fence, new Date(this.#now), LEASE_MS, beat));
      if (outcome !== 'applied' && outcome !== 'duplicate') held.delete(id);
    }
  }

  async #confirm({ held }: Child): Promise<void> {
    await this.#renew(held, held.size > 1 && this.#mistakes.untoldSharing !== true, () => false);
  }

  /** A run has been isolated for a while: the service is told, and the process may take another one. */
  async #share(index: number): Promise<void> {
    const child = this.#children[index];
    if (child === undefined) return;
    await this.#renew(child.held, this.#mistakes.untoldSharing !== true, () => false);
    child.isShared = true;
  }

  /** Renews all claims; some runs wait. The process of a killer dies, with all of its runs. */
  async #work(index: number): Promise<void> {
    const held = this.#runners[index] ?? new Map<string, number>();
    await this.#renew(held, false, (id) => this.#member(id).nature === 'missing');
    const kills = (hold: Hold): boolean => [...hold.keys()].some((id) => this.#member(id).nature === 'killer');
    if (kills(held))
      this.#consequences.push(async () => (index % 2 === 0 ? this.#restart(index, 0) : this.#die(index)));
    const child = this.#children[index];
    if (child === undefined) return;
    await this.#renew(child.held, false, () => false);
    if (kills(child.held)) this.#consequences.push(() => this.#exit(index, 0));
  }

  /** Counts the death of a process for its runs. `alone`: weight of the death, if only one run is in it. */
  #bury(held: Hold, alone: number): void {
    for (const id of held.keys()) {
      this.#member(id).bereaved += 1;
      if (held.size === 1) this.#member(id).ledger.deathsAlone += alone;
    }
    held.clear();
  }

  /** A runner dies, and the process for its isolated runs with it. */
  #die(index: number, alone = 0): void {
    this.#bury(this.#runners[index] ?? new Map<string, number>(), 0);
    this.#bury(this.#children[index]?.held ?? new Map<string, number>(), alone);
    this.#children[index] = undefined;
  }

  /** The process for isolated runs exits. The report of that is sent, sent twice, late, or lost. */
  async #exit(index: number, pick: number): Promise<void> {
    const child = this.#children[index];
    if (child === undefined) return;
    const isReported = pick % 4 !== 3;
    this.#bury(child.held, isReported ? 1 : 0);
    this.#children[index] = undefined;
    if (!isReported) return;
    for (let times = pick % 2; times >= 0; times -= 1)
      assert.ok(this.#signs.ended({ runnerId: this.#idOf(index), endedId: child.id }));
    if (pick % 3 === 2) return;
    await this.#sweep();
    for (const record of await this.#records())
      assert.notEqual(record.lease?.runnerId, child.id, 'a lease outlived the process that held it');
  }

  readonly #starts = Array.from({ length: RUNNERS }, () => 1);

  #idOf(index: number): string {
    return `r${index}.${String(this.#starts[index]).padStart(6, '0')}`;
  }

  /**
   * The runner dies; its next start reports that, perhaps twice, so no lease of its processes lasts, and none of any
   * other process ends.
   */
  async #restart(index: number, pick: number): Promise<void> {
    const id = this.#idOf(index);
    this.#die(index, 1 / 2);
    this.#starts[index] = (this.#starts[index] ?? 0) + 1;
    const isIts = (runnerId = ''): boolean => runnerId === id || runnerId.startsWith(`${id}.`);
    const others = (await this.#records()).filter(({ lease }) => lease !== undefined && !isIts(lease.runnerId));
    for (let times = pick % 2; times >= 0; times -= 1) assert.ok(this.#signs.ended({ runnerId: this.#idOf(index) }));
    await this.#sweep();
    const after = await this.#records();
    for (const { lease } of after) assert.ok(!isIts(lease?.runnerId), 'a lease outlived the process that held it');
    for (const { _id, lease } of others)
      if (this.#signs.endOf(lease?.runnerId ?? '') === undefined)
        assert.notEqual((await this.#read(_id)).lease, undefined, 'a lease of another process ended');
  }

  /** All connections break. A live process renews its leases, and keeps them. */
  async #disconnect(index: number): Promise<void> {
    const held = this.#runners[index] ?? new Map<string, number>();
    // Leases without renewals may run out meanwhile.
    for (const id of this.#allHeld()) this.#member(id).bereaved += 1;
    this.#signs.disconnected(this.#idOf(index));
    await this.#sweep();
    for (const [id, fence] of held)
      await this.#store.apply(id, heartbeatWrite(fence, new Date((this.#now += 1)), LEASE_MS));
    const before = await this.#records();
    this.#elapsed += 1_000;
    await this.#sweep();
    this.#elapsed += DISCONNECTED_MS + 1_000;
    await this.#sweep();
    if (held.size > 0)
      for (const { _id, state, fence } of before)
        if (held.get(_id) === fence && state === 'running')
          assert.equal((await this.#read(_id)).state, 'running', 'a live process lost a lease to a broken connection');
  }

  #freeze(index: number): void {
    const holds = [
      this.#runners[index] ?? new Map<string, number>(),
      this.#children[index]?.held ?? new Map<string, number>(),
    ];
    for (const held of holds) if (held.size > 0) this.#frozen.push(new Map(held));
    this.#die(index);
  }

  /** Frozen runners finally report everything they held. */
  async #wakeUp(): Promise<void> {
    for (const held of this.#frozen.splice(0)) await this.#tell(held);
  }

  async #end(index: number, isLost: boolean): Promise<void> {
    const child = this.#children[index];
    for (const held of [this.#runners[index], child?.held]) {
      if (held === undefined) continue;
      if (isLost) await this.#tell(new Map(held));
      await this.#tell(held);
    }
    if (child?.held.size === 0) child.isShared = true;
  }

  #entryOf(id: string, fence: number): ReportEntry {
    const { nature } = this.#member(id);
    const entry = {
      executionId: id,
      fence,
      endState: EndState.END_STATE_SUCCESS,
      nodeRuns: [],
      lastNode: '',
      checkpoint: 0,
    };
    if (nature === 'malformed') return { ...entry, endState: EndState.END_STATE_UNSPECIFIED };
    if (nature !== 'missing') return entry;
    return {
      ...entry,
      nodeRuns: [{ node: 'N', run: 0, executionIndex: 0, failed: false, recordJson: Buffer.alloc(0), chunkId: 'gone' }],
    };
  }

  /** All ends of a runner as one call. A refused one is reported again as an error; a failed call drops them all. */
  async #tell(held: Hold): Promise<void> {
    const told = [...held].filter(([id]) => this.#member(id).nature !== 'killer');
    const fences = new Map(await Promise.all(told.map(async ([id]) => [id, await this.#read(id)] as const)));
    for (const [id] of told) held.delete(id);
    if (told.length === 0) return;
    try {
      const { outcomes } = await this.#report(told.map(([id, fence]) => this.#entryOf(id, fence)));
      for (const [position, [id, fence]] of told.entries()) {
        const outcome = outcomes[position];
        if (outcome === WriteOutcome.WRITE_OUTCOME_APPLIED)
          assert.equal(fences.get(id)?.fence, fence, 'the end of an old fence was accepted');
        const isBad = this.#member(id).nature !== 'healthy';
        assert.equal(
          outcome === WriteOutcome.WRITE_OUTCOME_REFUSED,
          isBad,
          'a good entry was refused, or a bad one taken',
        );
        if (outcome !== WriteOutcome.WRITE_OUTCOME_REFUSED) continue;
        const failure = { reason: 'RESULT_REFUSED', message: 'no', node: '', errorJson: '' };
        await this.#report([
          { ...this.#entryOf(id, fence), endState: EndState.END_STATE_ERROR, nodeRuns: [], error: failure },
        ]);
      }
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
    }
  }

  /** No further failures: every run reaches the right end, in a bounded time. */
  async settle(): Promise<void> {
    this.#frozen.length = 0;
    for (let round = 0; round < 12 * this.#members.length; round += 1) {
      for (let index = 0; index < RUNNERS; index += 1) {
        for (const kind of ['claim', 'work', 'report'] as const) await this.step({ kind, pick: index });
      }
      await this.step({ kind: 'sweep', pick: 0 });
      if ((await this.#records()).every(({ state }) => isEndState(state))) break;
    }
    const ends = { healthy: 'success', malformed: 'error', missing: 'error', killer: 'crashed' };
    for (const { id, nature } of this.#members) {
      const { state, error } = await this.#read(id);
      if (state !== 'crashed' || this.#member(id).ledger.deathsAlone < MAX_DEATHS_ALONE)
        assert.equal(state, ends[nature], `a ${nature} run ended otherwise`);
      if (state === 'error') assert.equal(error?.reason, 'RESULT_REFUSED', 'a refused end has another reason');
    }
  }
}

/**
 * Executes a scenario of several executions that share batches, claims and runners.
 * @throws AssertionError that describes the violation
 */
export const liveTogether = async ({ natures, events }: Story, mistakes: Mistakes = {}): Promise<void> => {
  const world = new World(natures, mistakes);
  await world.begin();
  for (const event of events) await world.step(event);
  await world.settle();
};
