/** Runs that wait for a process. */
const MAX_WAITING = 1_000;
/** One owner may have this part of them. */
const OWNER_PART = 0.5;
/** Owners whose last turn is known. To one who comes after so many others it does not matter any more. */
const MAX_OWNERS = 1_000;
/** Time limit of a waiting run. */
const WAIT_MS = 60_000;

/**
 * The place in which a run is under way. The `reserve` is one place beside the ordinary ones, for owners who have
 * nothing under way. A run that takes long has it only until another such owner waits: so quick runs wait for nobody's
 * long ones.
 */
export type Place = 'ordinary' | 'reserve';

/** How a wait for a turn ended: with a place, or without. */
export type Turn = Place | 'aborted' | 'busy' | 'closed';

/** True if a turn has a place, which must be given back. */
export const isPlace = (turn: Turn): turn is Place => turn === 'ordinary' || turn === 'reserve';

interface Waiting {
  readonly owner: string;
  readonly isLong: boolean;
  readonly settle: (turn: Turn) => void;
}

/**
 * Turns to run something: a fixed number at a time, and one in the reserve. Who has fewest of them running gets the
 * next one; of several, who has waited longest since its last one, so that the queue of one owner is not another's.
 */
export class ProcessTurns {
  readonly #most: number;
  readonly #waitingMax: number;
  readonly #onWaited: ((ms: number) => void) | undefined;
  /** Turns under way by owner. */
  readonly #running = new Map<string, number>();
  readonly #waiting: Waiting[] = [];
  /** Number of the last turn of each owner, the latest {@link MAX_OWNERS} of them; the latest comes last. */
  readonly #lastTurn = new Map<string, number>();
  #turns = 0;
  #taken = 0;
  #isReserveTaken = false;
  #isClosed = false;

  /** @param onWaited told how long each has waited, in milliseconds, also those that got no turn */
  constructor(most: number, waitingMax = MAX_WAITING, onWaited?: (ms: number) => void) {
    this.#most = most;
    this.#waitingMax = waitingMax;
    this.#onWaited = onWaited;
  }

  /**
   * Waits for a turn of this owner. Each place that was taken must be given back.
   * @param isLong true for a run that is known to take long, which gets no place in the reserve
   */
  async take(owner: string, signal: AbortSignal, isLong = false): Promise<Turn> {
    const askedAt = performance.now();
    const turn = await this.#takeOrWait(owner, signal, isLong);
    this.#onWaited?.(performance.now() - askedAt);
    return turn;
  }

  /**
   * Where a run in the reserve that takes long goes on: in an ordinary place if there is one, else where it is.
   * @returns undefined if another run could have its place: it must end and wait for an ordinary one
   */
  moveLong(): Place | undefined {
    if (this.#taken < this.#most) {
      this.#taken += 1;
      this.#isReserveTaken = false;
      this.#fill();
      return 'ordinary';
    }
    return this.#waiting.some((waiting) => this.#mayReserve(waiting)) ? undefined : 'reserve';
  }

  giveBack(owner: string, place: Place): void {
    if (place === 'ordinary') this.#taken -= 1;
    else this.#isReserveTaken = false;
    const left = (this.#running.get(owner) ?? 1) - 1;
    if (left === 0) this.#running.delete(owner);
    else this.#running.set(owner, left);
    this.#fill();
  }

  /** Ends all waits. */
  close(): void {
    this.#isClosed = true;
    for (const { settle } of [...this.#waiting]) settle('closed');
  }

  async #takeOrWait(owner: string, signal: AbortSignal, isLong: boolean): Promise<Turn> {
    if (this.#isClosed) return 'closed';
    if (signal.aborted) return 'aborted';
    const place = this.#placeFor({ owner, isLong });
    if (place !== undefined) return this.#begin(owner, place);
    const own = this.#waiting.filter((waiting) => waiting.owner === owner).length;
    if (this.#waiting.length >= this.#waitingMax || own >= this.#waitingMax * OWNER_PART) return 'busy';
    return this.#wait(owner, signal, isLong);
  }

  #placeFor({ owner, isLong }: Pick<Waiting, 'owner' | 'isLong'>): Place | undefined {
    if (this.#taken < this.#most) return 'ordinary';
    return !this.#isReserveTaken && this.#mayReserve({ owner, isLong }) ? 'reserve' : undefined;
  }

  #mayReserve({ owner, isLong }: Pick<Waiting, 'owner' | 'isLong'>): boolean {
    return !isLong && !this.#running.has(owner);
  }

  #begin(owner: string, place: Place): Place {
    if (place === 'ordinary') this.#taken += 1;
    else this.#isReserveTaken = true;
    this.#running.set(owner, (this.#running.get(owner) ?? 0) + 1);
    this.#lastTurn.delete(owner);
    this.#lastTurn.set(owner, (this.#turns += 1));
    if (this.#lastTurn.size > MAX_OWNERS) {
      const [oldest = owner] = this.#lastTurn.keys();
      this.#lastTurn.delete(oldest);
    }
    return place;
  }

  /** Gives every place that is free to who is next. */
  #fill(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const place = this.#placeFor(next);
      if (place === undefined) return;
      next.settle(place);
    }
  }

  /** Of those for whom there is a place, the one whose owner has fewest under way, and had its last turn first. */
  #next(): Waiting | undefined {
    let next: Waiting | undefined;
    let fewest = Infinity;
    let last = Infinity;
    for (const waiting of this.#waiting) {
      const running = this.#running.get(waiting.owner) ?? 0;
      const turn = this.#lastTurn.get(waiting.owner) ?? 0;
      const isBefore = running < fewest || (running === fewest && turn < last);
      if (isBefore && this.#placeFor(waiting) !== undefined) [next, fewest, last] = [waiting, running, turn];
    }
    return next;
  }

  #wait(owner: string, signal: AbortSignal, isLong: boolean): Promise<Turn> {
    return new Promise((resolve) => {
      const settle = (turn: Turn): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        if (isPlace(turn)) this.#begin(owner, turn);
        resolve(turn);
      };
      const abort = (): void => settle('aborted');
      const waiting: Waiting = { owner, isLong, settle };
      const timer = setTimeout(() => settle('busy'), WAIT_MS);
      signal.addEventListener('abort', abort, { once: true });
      this.#waiting.push(waiting);
    });
  }
}
