import { uuidv7 } from '@weft/service-kit/ids';
import fc from 'fast-check';
import { randomBytes } from 'node:crypto';
import type { LogSegment, SegmentLog } from '../data/segment-log';
import type { ChunkStore } from '../data/chunks';
import { toFactsTuple } from '../data/run-facts';
import { carryRun } from '../retries/carry-run';
import { newExecution } from '../start/new-execution';
import type { CrashPolicy, ExecutionRecord } from '../state/execution';
import { isEndState } from '../state/execution-state';
import { wakeWrite } from '../state/free-writes';
import { crashWrite, expireWrite, isGivenUp, type LeaseEnd } from '../state/lease-end';
import { meets, operate, snapshotOf } from '../state/operate';
import type { ApplyWrite } from '../state/ports';
import { claimWrite } from '../state/run-writes';
import { judge } from '../state/write-outcome';
import { createReportExecution } from '../step/report-executions';
import { createCheckpointExecution } from '../step/step-executions';
import type { SentNodeRun } from '../step/store-step';
import { createWaitExecution } from '../wait/wait-execution';
import { PLAIN_FACTS, PLAIN_RUN } from '../testing/plain-run';
import { readEvents, type EventPage, type LogEvent, type ReadManifests } from './read-events';

/** Nothing is known about the process. */
const LEASE_END: LeaseEnd = { cause: 'unknown', isOnlySuspect: false, suspectVersions: new Set() };
const NOW = 1_800_000_000_000;

/** Four of these do not fit into a document. */
const NOISE = randomBytes(40_000).toString('hex');

/** A log of segments in memory. */
const createLog = () => {
  const stored = new Map<string, LogSegment[]>();
  async function* read(executionId: string, { from, to }: { from: number; to: number }): AsyncGenerator<LogSegment> {
    await Promise.resolve();
    const all = stored.get(executionId) ?? [];
    yield* all.filter(({ position }) => position >= from && position < to).sort((a, b) => a.position - b.position);
  }
  const log: SegmentLog = {
    put: (executionId, segments) => {
      stored.set(executionId, [...(stored.get(executionId) ?? []), ...segments]);
      return Promise.resolve();
    },
    read,
    deleteAll: () => Promise.resolve(),
  };
  return { log, readManifests: read satisfies ReadManifests };
};

const refuse = () => Promise.reject(new Error('not part of this test'));
const CHUNKS: ChunkStore = {
  put: refuse,
  putStream: refuse,
  headsOf: () => Promise.resolve(new Map()),
  read: () => {
    throw new Error('not part of this test');
  },
  deleteAll: refuse,
};

interface Command {
  readonly kind: 'claim' | 'checkpoint' | 'crash' | 'wait' | 'wake' | 'end' | 'read';
  readonly pick: number;
}

/** One execution whose writes are applied in memory, and readers of its events. */
class World {
  readonly id = uuidv7();
  readonly #log = createLog();
  record: ExecutionRecord;
  /** All numbered events: the one with each number never changes. */
  readonly known = new Map<number, string>();
  readonly readers = Array.from({ length: 4 }, () => ({ last: 0, seen: [] as number[] }));

  constructor(crashPolicy: CrashPolicy) {
    this.record = newExecution({ ...PLAIN_RUN, id: this.id, facts: { ...PLAIN_FACTS, crashPolicy } }, NOW);
  }

  readonly #apply: ApplyWrite = (_, write) => {
    const found = snapshotOf(this.record);
    if (!meets(this.record, write)) return Promise.resolve({ outcome: judge(write, found, 'other'), found });
    this.record = operate(this.record, write);
    return Promise.resolve({ outcome: 'applied' });
  };

  get #ports() {
    return {
      apply: this.#apply,
      chunks: CHUNKS,
      log: this.#log.log,
      readTail: () => Promise.resolve(this.record),
      clock: () => NOW,
      retentionMs: 0,
      getVersion: () => Promise.resolve(undefined),
      wakeParent: () => Promise.resolve(),
      limits: { runMs: 0, waitMs: 0 },
    };
  }

  /** Small ones stay in the document, large ones move all to the log, packed or not. */
  #nodeRuns(pick: number): SentNodeRun[] {
    return Array.from({ length: pick % 5 }, (_, index) => ({
      node: `N${index % 2}`,
      run: 0,
      executionIndex: this.record.nodeRunCount + index,
      failed: false,
      record: Buffer.from(JSON.stringify({ text: pick % 5 === 4 ? NOISE : pick })),
      facts: toFactsTuple(this.id, { startedAtMs: NOW + index, durationMs: pick, outputItems: [1], errorMessage: '' }),
    }));
  }

  async do({ kind, pick }: Command): Promise<void> {
    const { fence, checkpoint, state } = this.record;
    const step = { executionId: this.id, fence, checkpoint, nodeRuns: this.#nodeRuns(pick) };
    if (kind === 'read') return void (await this.readOn(pick % 4, 1 + (pick % 7)));
    if (kind === 'claim') {
      const stamp = { claimId: uuidv7(), attempt: 0, runnerId: 'r', isolated: true, engineStateVersions: [1] };
      await this.#apply(this.id, claimWrite(stamp, new Date(NOW + 120_000), 30_000));
    } else if (kind === 'wake') await this.#apply(this.id, wakeWrite({}, { kind: 'timer' }, new Date(NOW)));
    else if (state !== 'running') return;
    else if (kind === 'checkpoint')
      await createCheckpointExecution(this.#ports)({
        ...step,
        checkpoint: checkpoint + 1,
        engineState: Buffer.from('s'),
      });
    else if (kind === 'wait') await createWaitExecution(this.#ports)({ ...step, resumeAt: new Date(NOW) });
    else if (kind === 'end')
      await createReportExecution(this.#ports)({
        ...step,
        ...(pick % 2 === 0 ? {} : { error: { reason: 'NODE_ERROR', message: '', node: 'N', errorJson: '' } }),
      });
    else {
      const found = { ...this.record, actedFence: fence };
      this.record = found;
      await this.#apply(
        this.id,
        isGivenUp(found, LEASE_END)
          ? crashWrite(found, LEASE_END, new Date(NOW), 0)
          : expireWrite(found, LEASE_END, new Date(NOW)),
      );
    }
    await this.note();
  }

  page(after: number, limit: number): Promise<EventPage> {
    return readEvents(this.record, after, limit, this.#log.readManifests);
  }

  /** Every number stands for one event forever. */
  async note(): Promise<void> {
    for (const event of (await this.page(0, 10_000)).events) {
      const text = JSON.stringify(event.kind === 'node-finished' ? { ...event, run: { ...event.run } } : event);
      expect(this.known.get(event.sequence) ?? text).toBe(text);
      this.known.set(event.sequence, text);
    }
  }

  async readOn(index: number, limit: number): Promise<EventPage> {
    const reader = this.readers[index];
    if (reader === undefined) throw new Error('There is no such reader.');
    const page = await this.page(reader.last, limit);
    expect(page.events.length).toBeLessThanOrEqual(limit);
    for (const { sequence } of page.events) {
      // Without a gap, unless the page says that node runs were lost.
      if (sequence !== reader.last + 1) expect(sequence).toBe(page.firstSequence);
      reader.seen.push(sequence);
      reader.last = sequence;
    }
    return page;
  }

  async retried(): Promise<{ readonly original: LogEvent[]; readonly copy: LogEvent[] } | undefined> {
    if (this.record.state === 'success' || this.record.nodeRunCount === 0) return undefined;
    const id = uuidv7();
    const carried = await carryRun({ ...this.record, engineState: Buffer.from('s') }, id, {
      chunks: CHUNKS,
      log: this.#log.log,
    });
    if (carried === undefined) return undefined;
    const retry = newExecution({ ...PLAIN_RUN, id, carried: carried.run }, NOW);
    const copy = await readEvents(retry, 1, 10_000, this.#log.readManifests);
    return { original: [...(await this.page(1, 10_000)).events], copy: [...copy.events] };
  }
}

const command: fc.Arbitrary<Command> = fc.record({
  kind: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('claim' as const, 'checkpoint' as const, 'read' as const) },
    { weight: 2, arbitrary: fc.constantFrom('crash' as const, 'wait' as const, 'wake' as const) },
    { weight: 1, arbitrary: fc.constant('end' as const) },
  ),
  pick: fc.nat(11),
});

describe('the events of an execution', () => {
  it('have the same numbers for every reader, whatever happens and whenever it reads', async () => {
    const seen = { restarts: 0, logs: 0, ends: 0, retries: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('resume' as const, 'restart' as const, 'fail' as const),
        fc.array(command, { minLength: 5, maxLength: 40 }),
        async (policy, commands) => {
          const world = new World(policy);
          for (const one of commands) await world.do(one);
          seen.restarts += (world.record.lostNodeRuns ?? 0) > 0 ? 1 : 0;
          seen.logs += (world.record.log?.length ?? 0) > 1 ? 1 : 0;
          for (const index of world.readers.keys()) {
            for (let page = await world.readOn(index, 3); page.events.length > 0;) page = await world.readOn(index, 3);
          }
          const existing = (await world.page(0, 10_000)).events.map(({ sequence }) => sequence);
          for (const { seen: numbers } of world.readers) {
            expect(new Set(numbers).size).toBe(numbers.length);
            expect(existing.filter((one) => !numbers.includes(one))).toEqual([]);
          }
          const page = await world.page(world.readers[0]?.last ?? 0, 1);
          expect(page.isComplete).toBe(isEndState(world.record.state));
          if (!page.isComplete) return;
          seen.ends += 1;
          expect((await world.page(0, 10_000)).events.at(-1)?.kind).toBe('ended');
          const retried = await world.retried();
          if (retried === undefined) return;
          seen.retries += 1;
          const identities = (events: readonly LogEvent[]) =>
            events.flatMap((event) =>
              event.kind === 'node-finished' ? [`${event.run.node} ${event.run.executionIndex}`] : [],
            );
          expect(identities(retried.copy)).toEqual(identities(retried.original).slice(0, retried.copy.length));
        },
      ),
      { numRuns: 400 },
    );
    // Every kind of history was among them.
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
  });
});
