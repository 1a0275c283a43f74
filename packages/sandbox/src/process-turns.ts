/** Runs that wait for a process. */
const MAX_WAITING = 1_000;
/** Time limit of a waiting run. */
const WAIT_MS = 60_000;

/** How a wait for a turn ended. */
export type Turn = 'taken' | 'aborted' | 'busy' | 'closed';

interface Waiting {
  readonly owner: string;
  readonly settle: (turn: Turn) => void;
}

/** Turns to run something, a fixed number at a time. Who has fewest of them running gets the next one. */
export class ProcessTurns {
  readonly #most: number;
  readonly #waitingMax: number;
  /** Turns under way by owner. */
  readonly #running = new Map<string, number>();
  readonly #waiting: Waiting[] = [];
  #taken = 0;
  #isClosed = false;

  readonly #onWaited: ((ms: number) => void) | undefined;

  /** @param onWaited told how long each has waited, in milliseconds, also those that got no turn */
  constructor(most: number, waitingMax = MAX_WAITING, onWaited?: (ms: number) => void) {
    this.#most = most;
    this.#waitingMax = waitingMax;
    this.#onWaited = onWaited;
  }

  /** Waits for a turn of this owner. Each one that was taken must be given back. */
  async take(owner: string, signal: AbortSignal): Promise<Turn> {
    const askedAt = performance.now();
    const turn = await this.#takeOrWait(owner, signal);
    this.#onWaited?.(performance.now() - askedAt);
    return turn;
  }

  async #takeOrWait(owner: string, signal: AbortSignal): Promise<Turn> {
    if (this.#isClosed) return 'closed';
    if (signal.aborted) return 'aborted';
    if (this.#taken < this.#most) {
      this.#begin(owner);
      return 'taken';
    }
    if (this.#waiting.length >= this.#waitingMax) return 'busy';
    return this.#wait(owner, signal);
  }

  giveBack(owner: string): void {
    this.#taken -= 1;
    const left = (this.#running.get(owner) ?? 1) - 1;
    if (left === 0) this.#running.delete(owner);
    else this.#running.set(owner, left);
    this.#next()?.settle('taken');
  }

  /** Ends all waits. */
  close(): void {
    this.#isClosed = true;
    for (const { settle } of [...this.#waiting]) settle('closed');
  }

  #begin(owner: string): void {
    this.#taken += 1;
    this.#running.set(owner, (this.#running.get(owner) ?? 0) + 1);
  }

  #next(): Waiting | undefined {
    let next: Waiting | undefined;
    let fewest = Infinity;
    for (const waiting of this.#waiting) {
      const running = this.#running.get(waiting.owner) ?? 0;
      if (running < fewest) [next, fewest] = [waiting, running];
    }
    return next;
  }

  #wait(owner: string, signal: AbortSignal): Promise<Turn> {
    return new Promise((resolve) => {
      const settle = (turn: Turn): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        if (turn === 'taken') this.#begin(owner);
        resolve(turn);
      };
      const abort = (): void => settle('aborted');
      const waiting: Waiting = { owner, settle };
      const timer = setTimeout(() => settle('busy'), WAIT_MS);
      signal.addEventListener('abort', abort, { once: true });
      this.#waiting.push(waiting);
    });
  }
}
