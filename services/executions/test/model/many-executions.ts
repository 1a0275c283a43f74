import { strict as assert } from 'node:assert';
import { EndState, WriteOutcome, type ReportEntry } from '@weft/proto/runner';
import { fromRpcStatus } from '@weft/service-kit/grpc';
import { uuidv7 } from '@weft/service-kit/ids';
import fc from 'fast-check';
import { ChunkNotFound } from '../../src/domain/state/errors';
import type { ExecutionRecord } from '../../src/domain/state/execution';
import { isEndState } from '../../src/domain/state/execution-state';
import { newExecution } from '../../src/domain/start/new-execution';
import type { ReportExecution } from '../../src/domain/step/report-executions';
import { claimWrite, heartbeatWrite, renewClaimWrite, reportWrite } from '../../src/domain/state/run-writes';
import type { Write } from '../../src/domain/state/write';
import { createProcessEntries, type ProcessEntries, toOutcomeMessage } from '../../src/handlers/process-entries';
import { reportHandler } from '../../src/handlers/steps';
import { createExpireLeases } from '../../src/jobs/expire-leases';
import { checkStep, LEASE_MS, type Ledger } from './invariants';
import { createMemoryStore } from './memory-store';
import { PLAIN_FACTS } from '../../src/domain/testing/plain-run';

const RETENTION_MS = 1_000;
const RUNNERS = 2;

/** Kind of a run: healthy; its end is malformed; it references missing data; or it kills its runner. */
export type Nature = 'healthy' | 'malformed' | 'missing' | 'killer';

/** Protections that a test disables, to verify that their absence is detected. */
export interface Mistakes {
  readonly wholeBatchRefused?: true;
  readonly noIsolation?: true;
  readonly noFence?: true;
}

/** An event in a scenario of several executions; `pick` selects a runner or a number. */
export interface Event {
  readonly kind:
    'claim' | 'lostClaim' | 'work' | 'report' | 'lostReport' | 'die' | 'freeze' | 'wakeUp' | 'clock' | 'sweep';
  readonly pick: number;
}

/** A scenario: the kinds of its executions, and its events. */
export interface Story {
  readonly natures: readonly Nature[];
  readonly events: readonly Event[];
}

/** Any scenario in which bad runs share batches, claims and runners with healthy ones. */
export const anyStory: fc.Arbitrary<Story> = fc.record({
  natures: fc
    .array(fc.constantFrom<Nature>('healthy', 'healthy', 'malformed', 'missing', 'killer'), {
      minLength: 3,
      maxLength: 7,
    })
    .map((natures): Nature[] => ['healthy', ...natures]),
  events: fc.array(
    fc.record({
      kind: fc.constantFrom<Event['kind']>(
        'claim',
        'claim',
        'lostClaim',
        'work',
        'work',
        'report',
        'lostReport',
        'die',
        'freeze',
        'wakeUp',
        'clock',
        'sweep',
      ),
      pick: fc.nat(11),
    }),
    { minLength: 5, maxLength: 30 },
  ),
});

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
  #claims = 0;

  constructor(natures: readonly Nature[], mistakes: Mistakes) {
    this.#mistakes = mistakes;
    this.#members = natures.map((nature) => ({
      id: uuidv7(),
      nature,
      ledger: { claims: new Map(), lastClaim: '' },
      bereaved: 0,
    }));
    this.#sweep = createExpireLeases({
      findDue: { running: async () => (await this.#records()).filter(({ state }) => state === 'running') },
      apply: this.#store.apply,
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
    for (const { id } of this.#members) {
      await this.#store.insert(
        newExecution(
          {
            id,
            workflowId: 'w',
            versionId: 'v',
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

  /** Executes one event, and checks every execution after it. */
  async step(event: Event): Promise<void> {
    const before = await this.#records();
    await this.#do(event);
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
        is.crashes <= member.bereaved + 1 && (is.crashes === 0 || member.bereaved > 0),
        `a ${member.nature} run has ${is.crashes} crashes, and lost ${member.bereaved} runners`,
      );
      if (is.state === 'crashed') assert.equal(member.nature, 'killer', `a ${member.nature} run was given up`);
    }
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
    for (const id of this.#runners.flatMap((held) => [...held.keys()])) this.#member(id).bereaved += 1;
    await this.#sweep();
    this.#now += 2 * LEASE_MS;
    this.#elapsed += 2 * LEASE_MS;
    await this.#sweep();
    this.#now += 120_000;
    this.#elapsed += 120_000;
  }

  /** A runner claims all queued executions; those to be isolated it claims once it has nothing else. */
  async #claim(index: number, isLost: boolean): Promise<void> {
    const held = this.#runners[index] ?? new Map<string, number>();
    const queued = (await this.#records()).filter(({ state }) => state === 'queued');
    const isolates = this.#mistakes.noIsolation !== true;
    const shared = queued.filter(({ runsAlone }) => !isolates || runsAlone !== true);
    const lonely = queued.find(({ runsAlone }) => runsAlone === true);
    const isIsolated = !isolates || (held.size === 0 && shared.length === 0);
    if ([...held.keys()].some((id) => this.#isolated.has(id)) && isolates) return;
    const wanted = isolates && isIsolated && lonely !== undefined ? [lonely] : shared;
    if (wanted.length === 0) return;
    this.#claims += 1;
    const claimId = `c${this.#claims}`;
    const take = async (attempt: number) => {
      const stamp = { claimId, attempt, runnerId: `r${index}`, isolated: isIsolated, engineStateVersions: [1] };
      const now = new Date(this.#now);
      return this.#store.claim(
        wanted.map(({ _id }) => _id),
        { claimId, attempt, take: claimWrite(stamp, now, LEASE_MS), renew: renewClaimWrite(stamp, now, LEASE_MS) },
      );
    };
    const first = await take(0);
    const won = isLost ? await take(1) : first;
    assert.equal(won.length, first.length, 'a claim that was sent again won something else');
    for (const { _id, fence } of won) {
      held.set(_id, fence);
      if (isIsolated && isolates) this.#isolated.add(_id);
      else this.#isolated.delete(_id);
    }
  }

  readonly #isolated = new Set<string>();

  /** Renews all claims. The runner of a killer dies, with all of its runs. */
  async #work(index: number): Promise<void> {
    const held = this.#runners[index] ?? new Map<string, number>();
    for (const [id, fence] of held) {
      const { outcome } = await this.#store.apply(id, heartbeatWrite(fence, new Date(this.#now), LEASE_MS));
      if (outcome !== 'applied' && outcome !== 'duplicate') held.delete(id);
    }
    if ([...held.keys()].some((id) => this.#member(id).nature === 'killer')) this.#die(index);
  }

  #die(index: number): void {
    const held = this.#runners[index];
    for (const id of held?.keys() ?? []) this.#member(id).bereaved += 1;
    held?.clear();
  }

  #freeze(index: number): void {
    const held = this.#runners[index] ?? new Map<string, number>();
    if (held.size > 0) this.#frozen.push(new Map(held));
    this.#die(index);
  }

  /** Frozen runners finally report everything they held. */
  async #wakeUp(): Promise<void> {
    for (const held of this.#frozen.splice(0)) await this.#tell(held);
  }

  async #end(index: number, isLost: boolean): Promise<void> {
    const held = this.#runners[index] ?? new Map<string, number>();
    if (isLost) await this.#tell(new Map(held));
    await this.#tell(held);
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
