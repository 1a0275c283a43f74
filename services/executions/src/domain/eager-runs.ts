import type { ActingVersions } from './acting-versions';
import type { ExecutionRecord } from './execution';
import { isEndState } from './execution-state';
import { EAGER_LEASE_MS, INLINE_BYTES, MAX_EAGER_BYTES, MAX_EAGER_RUNS } from './limits';
import { meets, operate, snapshotOf } from './operate';
import type { ApplyWrite, ClaimExecutions, ClaimWrites, Clock, InsertExecution, InsertOutcome, Outcome } from './ports';
import { isHeldByClaim, persistWrite } from './run-writes';
import { perhapsStarted } from './start-outcome';
import type { Write } from './write';
import { judge } from './write-outcome';

/** Result of beginning a run: the outcome of its one insert, and the record as it was inserted. */
export type Begun = InsertOutcome & { readonly record?: ExecutionRecord };

/** How long an execution may be held. */
export interface Hold {
  /** Milliseconds; 0: it is stored at once. */
  readonly ms: number;
  /** Its caller waits for its result. */
  readonly isAwaited: boolean;
}

/**
 * Stores an execution that was just accepted, at the latest when its time is over.
 * @throws Unavailable
 */
export type BeginExecution = (record: ExecutionRecord, hold: Hold) => Promise<Begun>;

/** Offers executions that are not stored yet to the runners. Never fails. */
export interface Offers {
  /** False if no runner can be asked now. */
  readonly isOpen: () => boolean;
  readonly send: (executionId: string, isAwaited: boolean) => void;
}

/** Ports of eager runs. */
export interface EagerPorts {
  readonly insert: InsertExecution;
  readonly apply: ApplyWrite;
  readonly claim: ClaimExecutions;
  readonly offers: Offers;
  /** Tells one insert from another of the same execution. */
  readonly newBatchId: () => string;
  /** An execution of this version that nobody waited for was held for so many milliseconds. */
  readonly onHeld: (versionId: string, ms: number) => void;
  /** Versions whose runs are stored as they are claimed, which saves a call. */
  readonly acting: ActingVersions;
  /** An execution ended, and post-run actions are due. */
  readonly onEnded: (executionId: string) => void;
  readonly clock: Clock;
}

/**
 * Executions of this replica that no store knows yet: a run becomes durable at the first moment that anyone could
 * notice it. Losing them loses nothing, since nobody was answered and nothing was done outside.
 */
export interface EagerRuns {
  readonly begin: BeginExecution;
  /** Changes an execution: one that is held is inserted as the write leaves it, by one insert instead of two writes. */
  readonly apply: ApplyWrite;
  /**
   * Claims executions: those that are held in memory, without a write; but those that will act on the outside are
   * stored as claimed by a run that is about to.
   */
  readonly claim: ClaimExecutions;
  readonly isHeld: (executionId: string) => boolean;
  /** Reads of executions by id: one that is held is stored first. */
  readonly stored: <Result>(read: (executionId: string) => Promise<Result>) => (executionId: string) => Promise<Result>;
  /** A runner does not take these: another one is asked if callers wait, else they go into the queue. */
  readonly refused: (executionIds: readonly string[]) => void;
  /** Holds nothing any more: the process stops. */
  readonly drain: () => Promise<void>;
}

interface Entry {
  /** The record as the writes so far have left it. */
  record: ExecutionRecord;
  readonly bytes: number;
  /** The insert that is under way. */
  storing?: Promise<boolean>;
  readonly isAwaited: boolean;
  readonly begunAt: number;
  /** Offers of it that were refused. */
  refusals: number;
  readonly timer: NodeJS.Timeout;
  readonly begun: PromiseWithResolvers<Begun>;
}

/** Runners that are asked about a run whose caller waits, one after the other. */
const MAX_OFFERS = 2;

/** Bytes of a record besides its input. */
const BASE_BYTES = 2_048;

/** A run with less time than this is not worth an attempt. */
const MIN_TIME_MS = 1_000;

/**
 * True if a run may begin before it is stored. What other executions depend on, or what names data outside its record,
 * is stored at once.
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

const hasActionDue = ({ state, postRunActions }: ExecutionRecord): boolean =>
  isEndState(state) && postRunActions.some(({ due }) => due !== undefined);

/** The outcome for a start with the key of one that is held: it is answered when that one is stored. */
const join = async ({ begun, record }: Entry): Promise<Begun> => {
  // It names the one that is held: under this id there will be none.
  const outcome = await begun.promise.catch((error: unknown) => Promise.reject(perhapsStarted(error, record._id)));
  if (outcome.kind !== 'inserted') return outcome;
  return { kind: 'known', executionId: record._id, requestHash: record.requestHash ?? '' };
};

class Held {
  readonly #entries = new Map<string, Entry>();
  readonly #byKey = new Map<string, Entry>();
  #bytes = 0;
  #isDraining = false;

  constructor(private readonly ports: EagerPorts) {}

  get(executionId: string): Entry | undefined {
    return this.#entries.get(executionId);
  }

  get all(): readonly string[] {
    return [...this.#entries.keys()];
  }

  async begin(record: ExecutionRecord, { ms, isAwaited }: Hold): Promise<Begun> {
    const { idempotencyKey } = record;
    const twin = idempotencyKey === undefined ? undefined : this.#byKey.get(idempotencyKey);
    if (twin !== undefined) return join(twin);
    const bytes = BASE_BYTES + (record.input?.length ?? 0);
    const { offers, clock, insert } = this.ports;
    // The same start was sent again: the insert of this one says what became of it.
    if (this.#entries.has(record._id)) await this.store(record._id);
    const hasRoom = this.#entries.size < MAX_EAGER_RUNS && this.#bytes + bytes <= MAX_EAGER_BYTES;
    if (ms <= 0 || this.#isDraining || !hasRoom || !canWait(record, clock()) || !offers.isOpen())
      return { record, ...(await insert(record)) };
    const timer = setTimeout(() => void this.store(record._id), ms);
    const begun = Promise.withResolvers<Begun>();
    const entry: Entry = { record, bytes, isAwaited, begunAt: clock(), refusals: 0, timer, begun };
    this.#entries.set(record._id, entry);
    if (idempotencyKey !== undefined) this.#byKey.set(idempotencyKey, entry);
    this.#bytes += bytes;
    offers.send(record._id, isAwaited);
    return begun.promise;
  }

  /** A runner does not take it. One that was claimed all the same goes on. */
  refuse(executionId: string): void {
    const entry = this.#entries.get(executionId);
    if (entry === undefined || entry.storing !== undefined || entry.record.state !== 'queued') return;
    entry.refusals += 1;
    const { offers } = this.ports;
    if (entry.isAwaited && entry.refusals < MAX_OFFERS && offers.isOpen()) offers.send(executionId, true);
    else void this.store(executionId);
  }

  /**
   * Inserts a held execution as it is now, or as a write leaves it. Later writes wait for that, and go to the store.
   * @returns whether it is this run that is stored; false: another one has its id or its key.
   * @throws Unavailable: then it may be stored or not, and is no longer held.
   */
  insert(entry: Entry, record: ExecutionRecord): Promise<boolean> {
    clearTimeout(entry.timer);
    entry.record = { ...record, batchId: this.ports.newBatchId() };
    const storing = this.#insert(entry);
    // Whoever waits for it may do so later.
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
    if (!entry.isAwaited) this.ports.onHeld(record.versionId, this.ports.clock() - entry.begunAt);
    entry.begun.resolve(isStored ? { ...outcome, record } : outcome);
    if (isStored && hasActionDue(record)) this.ports.onEnded(record._id);
    return isStored;
  }

  #remove({ record, bytes }: Entry): void {
    this.#entries.delete(record._id);
    if (record.idempotencyKey !== undefined) this.#byKey.delete(record.idempotencyKey);
    this.#bytes -= bytes;
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

const applyTo = async (entry: Entry, write: Write, held: Held, acting: ActingVersions): Promise<Outcome> => {
  const { record } = entry;
  if (meets(record, write)) {
    const next = operate(record, write);
    if (write.transition === 'persist') acting.learn(record.versionId, true);
    else if (isEndState(next.state)) acting.learn(record.versionId, false);
    const isStored = await held.insert(entry, next);
    return { outcome: isStored ? 'applied' : 'fenced' };
  }
  const found = snapshotOf(record);
  return { outcome: judge(write, found, ''), found };
};

/** Takes what is free of one that is held, or takes over what an earlier sending of the claim has won. */
const claimOne = (entry: Entry, claim: ClaimWrites): ExecutionRecord | undefined => {
  const write = [claim.takeEager, claim.renew].find((one) => one !== undefined && meets(entry.record, one));
  if (write !== undefined) entry.record = operate(entry.record, write);
  return isHeldByClaim(entry.record, claim) ? entry.record : undefined;
};

/**
 * Stores one that was claimed and will act outside.
 * @returns false if another one has its id or its key: then it is not claimed
 * @throws Unavailable: its start has failed with that, and it may be stored or not
 */
const storeClaimed = (entry: Entry, record: ExecutionRecord, held: Held): Promise<boolean> =>
  held.insert(entry, operate(record, persistWrite(record.fence)));

/** Eager runs over a store. */
export const createEagerRuns = (ports: EagerPorts): EagerRuns => {
  const held = new Held(ports);
  return {
    begin: (record, hold) => held.begin(record, hold),
    apply: async (executionId, write) => {
      const entry = held.get(executionId);
      if (entry === undefined) return ports.apply(executionId, write);
      if (entry.storing === undefined) return applyTo(entry, write, held, ports.acting);
      await entry.storing.catch(() => false);
      return ports.apply(executionId, write);
    },
    claim: async (executionIds, claim) => {
      const taken: ExecutionRecord[] = [];
      const storing: Promise<unknown>[] = [];
      const stored: string[] = [];
      for (const id of executionIds) {
        const entry = held.get(id);
        if (entry === undefined || entry.storing !== undefined) {
          stored.push(id);
          continue;
        }
        const record = claimOne(entry, claim);
        if (record === undefined) continue;
        if (!ports.acting.expects(record.versionId)) taken.push(record);
        else
          storing.push(
            storeClaimed(entry, record, held).then(
              (isStored) => isStored && taken.push(entry.record),
              // The store says whether it is this claim that has it.
              () => stored.push(id),
            ),
          );
      }
      await Promise.all(storing);
      if (stored.length === 0) return taken;
      await Promise.all(stored.map((id) => held.store(id)));
      return [...taken, ...(await ports.claim(stored, claim))];
    },
    isHeld: (executionId) => held.get(executionId) !== undefined,
    stored: (read) => async (executionId) => {
      await held.store(executionId);
      return read(executionId);
    },
    refused: (executionIds) => {
      for (const id of executionIds) held.refuse(id);
    },
    drain: () => held.drain(),
  };
};

/** Milliseconds of the lease of a claim on an execution that is not stored yet: its runner may die unnoticed. */
export const eagerLeaseMs = (leaseMs: number): number => Math.min(leaseMs, EAGER_LEASE_MS);
