import type { ExecutionMode } from '../state/execution';

/** True if a start comes from a run of this instance, which can wait, unlike an external caller. */
export const isInside = (mode: ExecutionMode): boolean => mode === 'integrated' || mode === 'error';

/** An execution as counted in the queue. */
export interface QueuedRun {
  readonly ownerId: string;
  readonly workflowId: string;
  readonly mode: ExecutionMode;
  /** Size of its input. */
  readonly bytes: number;
}

/** Usage of the queue. */
export interface Use {
  readonly runs: number;
  readonly bytes: number;
}

/** Queued executions of one owner, workflow and mode. */
export interface QueueRow extends Use {
  readonly ownerId: string;
  readonly workflowId: string;
  readonly mode: ExecutionMode;
  /** They wait for a slot of their concurrency key, and are not announced to runners. */
  readonly waitsForSlot?: true;
}

/** Known state of the queue: the last count, and the changes since. */
export interface QueueLedger {
  readonly all: Use;
  readonly inside: Use;
  readonly ofOwner: (ownerId: string) => Use;
  readonly insideOfOwner: (ownerId: string) => Use;
  readonly insideOfWorkflow: (workflowId: string) => Use;
  /** Starts that wait for slots; they count for nothing else. */
  readonly waitingOfWorkflow: (workflowId: string) => Use;
  /** Adds a start; call the result when the store has it, or it has failed. */
  readonly add: (run: QueuedRun) => () => void;
  /** An execution has left the queue. */
  readonly remove: (run: QueuedRun) => void;
  /** Begins a count; its result replaces everything that the store knew when it began. */
  readonly beginCount: () => (rows: readonly QueueRow[]) => void;
}

interface Change extends QueuedRun {
  readonly runs: 1 | -1;
  isSettled: boolean;
}

const NOTHING: Use = { runs: 0, bytes: 0 };

/** Sums by a name. */
class Sums {
  readonly #uses = new Map<string, Use>();

  of(name: string): Use {
    return this.#uses.get(name) ?? NOTHING;
  }

  add(name: string, runs: number, bytes: number): void {
    const use = this.of(name);
    this.#uses.set(name, { runs: use.runs + runs, bytes: use.bytes + bytes });
  }

  clear(): void {
    this.#uses.clear();
  }
}

const ALL = 'all';
const INSIDE = 'inside';

/** An empty ledger. Its size is that of the last count and the starts since: both are limited by the queue's limit. */
export const createQueueLedger = (): QueueLedger => {
  const sums = new Sums();
  let changes = new Set<Change>();

  const enter = ({ ownerId, workflowId, mode, waitsForSlot }: QueueRow, runs: number, bytes: number): void => {
    if (waitsForSlot === true) return sums.add(`hw:${workflowId}`, runs, bytes);
    const names = [ALL, `o:${ownerId}`, ...(isInside(mode) ? [INSIDE, `io:${ownerId}`, `iw:${workflowId}`] : [])];
    for (const name of names) sums.add(name, runs, bytes);
  };
  const note = (run: QueuedRun, runs: 1 | -1, isSettled: boolean): Change => {
    const change: Change = { ...run, runs, isSettled };
    changes.add(change);
    enter(change, runs, runs * run.bytes);
    return change;
  };
  return {
    get all() {
      return sums.of(ALL);
    },
    get inside() {
      return sums.of(INSIDE);
    },
    ofOwner: (ownerId) => sums.of(`o:${ownerId}`),
    insideOfOwner: (ownerId) => sums.of(`io:${ownerId}`),
    insideOfWorkflow: (workflowId) => sums.of(`iw:${workflowId}`),
    waitingOfWorkflow: (workflowId) => sums.of(`hw:${workflowId}`),
    add: (run) => {
      const change = note(run, 1, false);
      return () => {
        change.isSettled = true;
      };
    },
    remove: (run) => {
      note(run, -1, true);
    },
    beginCount: () => {
      const known = new Set([...changes].filter(({ isSettled }) => isSettled));
      return (rows) => {
        changes = new Set([...changes].filter((change) => !known.has(change)));
        sums.clear();
        for (const row of rows) enter(row, row.runs, row.bytes);
        for (const change of changes) enter(change, change.runs, change.runs * change.bytes);
      };
    },
  };
};
