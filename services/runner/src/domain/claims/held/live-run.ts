import type { StoredNodeRun } from '../claimed-execution';

/** A node that runs now. */
export interface RunningNode {
  readonly node: string;
  /** Number of earlier runs of the node. */
  readonly run: number;
  /** Unix time in milliseconds. */
  readonly startedAtMs: number;
  /** End of a wait in this process. */
  readonly waitsUntilMs?: number;
}

/** Progress of a run since its last checkpoint, as followers see it. */
export interface LiveProgress {
  readonly running?: RunningNode;
  /** The last node runs that no checkpoint contains. */
  readonly notStored: readonly StoredNodeRun[];
}

/** Maximum number of node runs in the progress of a run. */
const MAX_NOT_STORED = 50;

/** The progress of one run. Nearly all runs have no followers: a node costs a few assignments and no allocation. */
export class LiveRun {
  #node = '';
  #run = 0;
  #startedAtMs = 0;
  #waitsUntilMs: number | undefined;
  #isRunning = false;
  #notStored: () => readonly StoredNodeRun[] = () => [];
  /** Number of changes so far. */
  changes = 0;
  /** Changes that the service knows; undefined: it knows none of the progress. */
  sentChanges: number | undefined;
  /** Monotonic milliseconds at which progress was last sent. */
  sentAt = Number.NEGATIVE_INFINITY;

  /** @param notStored the node runs that no checkpoint contains */
  open(notStored: () => readonly StoredNodeRun[]): void {
    this.#notStored = notStored;
  }

  /** A node begins, or continues after a wait. */
  began(node: string, run: number): void {
    if (!this.#isRunning || node !== this.#node || run !== this.#run) this.#startedAtMs = Date.now();
    this.#node = node;
    this.#run = run;
    this.#isRunning = true;
    this.changes += 1;
  }

  /** The node has ended. */
  ended(): void {
    this.#isRunning = false;
    this.changes += 1;
  }

  /** The node waits in this process until a time; undefined: it continues. */
  waits(untilMs: number | undefined): void {
    this.#waitsUntilMs = untilMs;
    this.changes += 1;
  }

  progress(): LiveProgress {
    const waits = this.#waitsUntilMs === undefined ? {} : { waitsUntilMs: this.#waitsUntilMs };
    return {
      ...(this.#isRunning
        ? { running: { node: this.#node, run: this.#run, startedAtMs: this.#startedAtMs, ...waits } }
        : {}),
      notStored: this.#notStored().slice(-MAX_NOT_STORED),
    };
  }
}
