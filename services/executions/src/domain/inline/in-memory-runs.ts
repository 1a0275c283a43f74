import { InFlightMap } from '@weft/service-kit/in-flight';
import type { ExecutionRecord } from '../state/execution';
import { isEndState } from '../state/execution-state';
import { INLINE_BYTES, MAX_INLINE_RUNS } from '../state/limits';
import type { Clock, InsertExecution, InsertOutcome } from '../state/ports';
import { hasPendingHooks } from '../data/purge';
import { perhapsStarted } from '../state/start-outcome';
import { leavesNothing } from './unkept-runs';

/** Result of beginning a run: the outcome of its one insert, and the record as it was inserted. */
export type Begun = InsertOutcome & { readonly record?: ExecutionRecord };

/** How long an execution may stay in memory. */
export interface InlineOptions {
  /** At most `HOLD_AWAITED_MS`; 0: it is stored at once. */
  readonly ms: number;
  /** Its caller waits for its result. */
  readonly isAwaited: boolean;
}

/** Handles the responses to offers. */
export interface OfferAnswers {
  /** True while an execution is neither claimed nor stored. */
  readonly isUnclaimed: (executionId: string) => boolean;
  /** Declined by all runners. */
  readonly onRefused: (executionIds: readonly string[]) => void;
}

/** Offers executions that are not stored yet to the runners. Never fails. */
export interface Offers {
  /** False if no runner can be asked now. */
  readonly isOpen: () => boolean;
  readonly send: (executionId: string, isAwaited: boolean) => void;
}

/** Ports of in-memory runs. */
export interface InMemoryPorts {
  readonly insert: InsertExecution;
  readonly openOffers: (answers: OfferAnswers) => Offers;
  /** Distinguishes inserts of the same execution. */
  readonly newBatchId: () => string;
  /** An execution whose caller waits was stored while a runner has it. */
  readonly onAwaited: (record: ExecutionRecord) => void;
  /** An execution ended, and completion hooks are due. */
  readonly onEnded: (executionId: string) => void;
  readonly clock: Clock;
}

/** An in-memory execution. */
export interface Entry {
  /** The record after the writes so far. */
  record: ExecutionRecord;
  /** The insert in flight. */
  storing?: Promise<boolean>;
  readonly isAwaited: boolean;
  /** Number of declined offers. */
  refusals: number;
  readonly timer: NodeJS.Timeout;
  readonly begun: PromiseWithResolvers<Begun>;
}

/** Number of runners that are successively offered a run whose caller waits. */
const MAX_OFFERS = 2;

/** A run with less time than this is not offered. */
const MIN_TIME_MS = 1_000;

/**
 * True if a run may begin before it is stored. Runs that other executions depend on, or that reference external data,
 * are stored at once.
 */
const canWait = (
  { input, inputChunk, concurrency, exclusiveKey, parent, retry, mode, deadlineAt }: ExecutionRecord,
  now: number,
): boolean =>
  (mode === 'manual' || mode === 'webhook') &&
  inputChunk === undefined &&
  (input?.length ?? 0) <= INLINE_BYTES &&
  concurrency === undefined &&
  exclusiveKey === undefined &&
  parent === undefined &&
  retry === undefined &&
  (deadlineAt === undefined || deadlineAt.getTime() - now >= MIN_TIME_MS);

const hasHookDue = (record: ExecutionRecord): boolean =>
  isEndState(record.state) && hasPendingHooks(record) && !leavesNothing(record);

/** The outcome for a start with the key of an in-memory run: it gets its response when that run is stored. */
const join = async ({ begun, record }: Entry): Promise<Begun> => {
  // The outcome refers to the in-memory run: this id will not exist.
  const outcome = await begun.promise.catch((error: unknown) => Promise.reject(perhapsStarted(error, record._id)));
  if (outcome.kind !== 'inserted') return outcome;
  return { kind: 'known', executionId: record._id, requestHash: record.requestHash ?? '' };
};

/** True if no runner has claimed it, and it is not being stored. */
const isUnclaimed = ({ storing, record }: Entry): boolean => storing === undefined && record.state === 'queued';

/** The in-memory executions, from their start to the one insert that stores them. */
export class InMemoryRuns {
  readonly #entries = new InFlightMap<string, Entry>();
  readonly #byKey = new InFlightMap<string, Entry>();
  readonly #offers: Offers;
  #isDraining = false;

  constructor(private readonly ports: InMemoryPorts) {
    this.#offers = ports.openOffers({
      isUnclaimed: (executionId) => {
        const entry = this.#entries.get(executionId);
        return entry !== undefined && isUnclaimed(entry);
      },
      onRefused: (executionIds) => {
        for (const id of executionIds) this.#refuse(id);
      },
    });
  }

  get(executionId: string): Entry | undefined {
    return this.#entries.get(executionId);
  }

  get all(): readonly string[] {
    return [...this.#entries.keys()];
  }

  async begin(record: ExecutionRecord, { ms, isAwaited }: InlineOptions): Promise<Begun> {
    const { idempotencyKey } = record;
    const twin = idempotencyKey === undefined ? undefined : this.#byKey.get(idempotencyKey);
    if (twin !== undefined) return join(twin);
    const { clock, insert } = this.ports;
    // The same start was repeated: it shares the outcome of this insert.
    if (this.#entries.has(record._id)) await this.store(record._id);
    const hasRoom = this.#entries.size < MAX_INLINE_RUNS;
    if (ms <= 0 || this.#isDraining || !hasRoom || !canWait(record, clock()) || !this.#offers.isOpen())
      return { record, ...(await insert(record)) };
    const timer = setTimeout(() => void this.store(record._id), ms);
    const begun = Promise.withResolvers<Begun>();
    const entry: Entry = { record, isAwaited, refusals: 0, timer, begun };
    this.#entries.set(record._id, entry);
    if (idempotencyKey !== undefined) this.#byKey.set(idempotencyKey, entry);
    this.#offers.send(record._id, isAwaited);
    return begun.promise;
  }

  /** A runner declined it. If it was claimed nevertheless, it continues. */
  #refuse(executionId: string): void {
    const entry = this.#entries.get(executionId);
    if (entry === undefined || !isUnclaimed(entry)) return;
    entry.refusals += 1;
    if (entry.isAwaited && entry.refusals < MAX_OFFERS && this.#offers.isOpen()) this.#offers.send(executionId, true);
    else void this.store(executionId);
  }

  /**
   * Inserts an in-memory execution as it is, or as a write leaves it. Later writes wait for that, and go to the store.
   * @returns whether this run is stored; false: another one has its id or its key.
   * @throws Unavailable: then it may or may not be stored, and is no longer in memory.
   */
  insert(entry: Entry, record: ExecutionRecord): Promise<boolean> {
    clearTimeout(entry.timer);
    entry.record = { ...record, batchId: this.ports.newBatchId() };
    const storing = this.#insert(entry);
    // Its caller may wait for it later.
    storing.catch(() => undefined);
    entry.storing = storing;
    return storing;
  }

  async #insert(entry: Entry): Promise<boolean> {
    const { record } = entry;
    let outcome: InsertOutcome;
    try {
      outcome = await this.ports.insert(record);
    } catch (error) {
      this.#remove(entry);
      entry.begun.reject(error);
      throw error;
    }
    this.#remove(entry);
    const isStored = outcome.kind === 'inserted' && outcome.isRepeated !== true;
    if (isStored && entry.isAwaited && record.state === 'running') this.ports.onAwaited(record);
    entry.begun.resolve(isStored ? { ...outcome, record } : outcome);
    if (isStored && hasHookDue(record)) this.ports.onEnded(record._id);
    return isStored;
  }

  #remove({ record }: Entry): void {
    this.#entries.delete(record._id);
    if (record.idempotencyKey !== undefined) this.#byKey.delete(record.idempotencyKey);
  }

  /** Stores one as it is. Never fails. */
  async store(executionId: string): Promise<void> {
    const entry = this.#entries.get(executionId);
    if (entry === undefined) return;
    await (entry.storing ?? this.insert(entry, entry.record)).catch(() => false);
  }

  async drain(): Promise<void> {
    this.#isDraining = true;
    await Promise.all(this.all.map((id) => this.store(id)));
  }
}
