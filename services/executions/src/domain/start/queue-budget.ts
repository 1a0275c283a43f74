import { QueueFull } from '../state/errors';
import type { ExecutionRecord } from '../state/execution';
import type { Clock } from '../state/ports';
import { createQueueLedger, isInside, type QueuedRun, type QueueLedger, type QueueRow, type Use } from './queue-ledger';

/** Counts queued executions by owner and workflow; scans at most `most`. @throws Unavailable */
export type CountQueue = (most: number) => Promise<readonly QueueRow[]>;

/** Capacity reserved by a start. */
export interface TakenRoom {
  /** The start is in the queue, or failed: the next count includes it. */
  readonly settle: () => void;
}

/** The capacity of the queue. */
export interface QueueBudget {
  /** Reserves capacity for a start. @throws QueueFull */
  readonly take: (run: QueuedRun) => Promise<TakenRoom>;
  /** Executions left the queue through this replica. */
  readonly left: (
    records: readonly Pick<ExecutionRecord, 'ownerId' | 'workflowId' | 'mode' | 'inputBytes' | 'generation'>[],
  ) => void;
  /** Milliseconds before a refused start is worth another try; increases with the number of waiting starts. */
  readonly retryDelayMs: () => number;
}

/** Limits of the whole queue. */
export interface QueueLimits {
  /** `QUEUE_LIMIT`. */
  readonly runs: number;
  /** `QUEUE_MB`, in bytes of inputs. */
  readonly bytes: number;
  /** Percentage of both that the runs of one owner may use. */
  readonly ownerShare: number;
}

/**
 * Shares of the queue for internal starts: in total, of one owner, and of one workflow. The rest is reserved for
 * external starts.
 */
const INSIDE = { all: 0.5, owner: 0.25, workflow: 0.125 } as const;

/**
 * Share of the queue's limits that runs of one workflow waiting for their concurrency key may use, in addition to
 * queued ones.
 */
const SLOT_WAIT_SHARE = 0.25;

/** Minimum milliseconds between counts while there is capacity. */
const COUNT_EVERY_MS = 1_000;

/** A count older than this many milliseconds is repeated before a start is refused. */
const FRESH_MS = 100;

/** Counting may take this fraction of the time. */
const COUNT_SHARE = 10;

const RETRY_MS = 250;
const MAX_RETRY_MS = 5_000;
/** Refused starts per second that double the delay of the next try. */
const RETRIES_PER_STEP = 50;

interface Bound {
  readonly what: string;
  readonly part: number;
  readonly usedBy: (ledger: QueueLedger, run: QueuedRun) => Use;
}

const boundsOf = (ownerShare: number): { readonly all: readonly Bound[]; readonly inside: readonly Bound[] } => ({
  all: [
    { what: 'of this instance', part: 1, usedBy: ({ all }) => all },
    { what: 'of this owner', part: ownerShare / 100, usedBy: (ledger, { ownerId }) => ledger.ofOwner(ownerId) },
    {
      what: 'of this workflow that wait for their concurrency key',
      part: SLOT_WAIT_SHARE,
      usedBy: (ledger, { workflowId }) => ledger.waitingOfWorkflow(workflowId),
    },
  ],
  inside: [
    { what: 'that runs have started', part: INSIDE.all, usedBy: ({ inside }) => inside },
    {
      what: 'that runs of this owner have started',
      part: INSIDE.owner,
      usedBy: (ledger, { ownerId }) => ledger.insideOfOwner(ownerId),
    },
    {
      what: 'of this workflow that runs have started',
      part: INSIDE.workflow,
      usedBy: (ledger, { workflowId }) => ledger.insideOfWorkflow(workflowId),
    },
  ],
});

/** True if there is capacity below a limit. A start larger than the limit is accepted if nothing else is queued. */
const fits = (used: number, added: number, bound: number): boolean =>
  used <= 0 || used + added <= Math.max(1, Math.floor(bound));

/**
 * The budget of the queue, in executions and in bytes of their inputs. It is counted about once a second, and every
 * start in between is added at once, so that it holds for a burst within a second. Replicas do not know of one
 * another's starts since the last count: together they may exceed the limit by the capacity that each of them had left.
 */
export const createQueueBudget = (
  countQueue: CountQueue,
  limits: QueueLimits,
  clock: Clock,
  random: () => number = Math.random,
): QueueBudget => {
  const ledger = createQueueLedger();
  const bounds = boundsOf(limits.ownerShare);
  let countedAt = Number.NEGATIVE_INFINITY;
  let tookMs = 0;
  let counting: Promise<void> | undefined;
  let refused = 0;

  const count = async (): Promise<void> => {
    const apply = ledger.beginCount();
    const begun = clock();
    // A failed count refuses nothing, since the insert will fail anyway.
    apply(await countQueue(limits.runs * 2).catch(() => []));
    countedAt = clock();
    tookMs = Math.abs(countedAt - begun);
    refused = 0;
    counting = undefined;
  };
  const ageMs = (): number => Math.abs(clock() - countedAt);
  const check = (run: QueuedRun): void => {
    for (const { what, part, usedBy } of isInside(run.mode) ? [...bounds.all, ...bounds.inside] : bounds.all) {
      const used = usedBy(ledger, run);
      if (!fits(used.runs, 1, limits.runs * part))
        throw new QueueFull(
          `${Math.max(1, Math.floor(limits.runs * part))} executions ${what} are queued, which is the maximum.`,
        );
      if (!fits(used.bytes, run.bytes, limits.bytes * part))
        throw new QueueFull(`The inputs of the queued executions ${what} have reached their size limit.`);
    }
  };
  const takeNow = (run: QueuedRun): TakenRoom => {
    check(run);
    return { settle: ledger.add(run) };
  };
  return {
    take: async (run) => {
      if (ageMs() >= Math.max(COUNT_EVERY_MS, COUNT_SHARE * tookMs)) counting ??= count();
      if (countedAt === Number.NEGATIVE_INFINITY) await counting;
      try {
        return takeNow(run);
      } catch (error) {
        if (!(error instanceof QueueFull)) throw error;
        if (ageMs() >= Math.max(FRESH_MS, COUNT_SHARE * tookMs)) counting ??= count();
        await counting;
        try {
          return takeNow(run);
        } finally {
          refused += 1;
        }
      }
    },
    left: (records) => {
      // Returning executions are first included in the next count, so their leaving is not recorded either.
      for (const { ownerId, workflowId, mode, inputBytes = 0, generation } of records)
        if (generation === 0) ledger.remove({ ownerId, workflowId, mode, bytes: inputBytes });
    },
    retryDelayMs: () => Math.min(MAX_RETRY_MS, RETRY_MS * (1 + refused / RETRIES_PER_STEP)) * (1 + random()),
  };
};
