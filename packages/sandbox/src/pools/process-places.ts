/** Maximum number of runs that wait for a process. */
const MAX_WAITING = 1_000;
/** Share of them that one owner may have. */
const OWNER_PART = 0.5;
/** Number of owners whose last run is remembered. After this many others it no longer matters. */
const MAX_OWNERS = 1_000;
/** Time limit of a waiting run. */
const WAIT_MS = 60_000;

/**
 * The place of a run. The `reserve` is one place in addition to the ordinary ones, for owners with no running code. A
 * long run has it only until another such owner waits, so that short runs never wait for the long runs of others.
 */
export type Place = 'ordinary' | 'reserve';

/** Outcome of waiting for a place: the place, or the reason for none. */
export type PlaceOutcome = Place | 'aborted' | 'busy' | 'closed';

/** True for a place, which must be returned. */
export const isPlace = (outcome: PlaceOutcome): outcome is Place => outcome === 'ordinary' || outcome === 'reserve';

interface Waiting {
  readonly owner: string;
  readonly isLong: boolean;
  readonly settle: (outcome: PlaceOutcome) => void;
}

/**
 * Divides the processes that run code or parsers among the owners: a fixed number of places, plus one in the reserve.
 * The owner with the fewest places goes first, and among equals the owner that got its last place longest ago, so that
 * owners do not wait behind each other's queues.
 */
export class ProcessPlaces {
  readonly #most: number;
  readonly #waitingMax: number;
  readonly #onWaited: ((ms: number) => void) | undefined;
  /** Number of places by owner. */
  readonly #running = new Map<string, number>();
  readonly #waiting: Waiting[] = [];
  /** Sequence number of the last place of the latest {@link MAX_OWNERS} owners, the latest last. */
  readonly #lastPlace = new Map<string, number>();
  #given = 0;
  #taken = 0;
  #isReserveTaken = false;
  #isClosed = false;

  /** @param onWaited called with each waiting time in milliseconds, also if no place was given */
  constructor(most: number, waitingMax = MAX_WAITING, onWaited?: (ms: number) => void) {
    this.#most = most;
    this.#waitingMax = waitingMax;
    this.#onWaited = onWaited;
  }

  /**
   * Waits for a place for this owner. Each place must be returned.
   * @param isLong true for a run known to take long, which never gets the reserve
   */
  async take(owner: string, signal: AbortSignal, isLong = false): Promise<PlaceOutcome> {
    const askedAt = performance.now();
    const outcome = await this.#takeOrWait(owner, signal, isLong);
    this.#onWaited?.(performance.now() - askedAt);
    return outcome;
  }

  /**
   * Place in which a long run in the reserve continues: an ordinary one if available, else the reserve.
   * @returns undefined if another run could use its place: it must end and wait for an ordinary one
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

  async #takeOrWait(owner: string, signal: AbortSignal, isLong: boolean): Promise<PlaceOutcome> {
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
    this.#lastPlace.delete(owner);
    this.#lastPlace.set(owner, (this.#given += 1));
    if (this.#lastPlace.size > MAX_OWNERS) {
      const [oldest = owner] = this.#lastPlace.keys();
      this.#lastPlace.delete(oldest);
    }
    return place;
  }

  /** Gives every free place to the next waiting run. */
  #fill(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const place = this.#placeFor(next);
      if (place === undefined) return;
      next.settle(place);
    }
  }

  /**
   * The next run for which there is a place: the owner with the fewest places, then the longest time since its last
   * place.
   */
  #next(): Waiting | undefined {
    let next: Waiting | undefined;
    let fewest = Infinity;
    let last = Infinity;
    for (const waiting of this.#waiting) {
      const running = this.#running.get(waiting.owner) ?? 0;
      const given = this.#lastPlace.get(waiting.owner) ?? 0;
      const isBefore = running < fewest || (running === fewest && given < last);
      if (isBefore && this.#placeFor(waiting) !== undefined) [next, fewest, last] = [waiting, running, given];
    }
    return next;
  }

  #wait(owner: string, signal: AbortSignal, isLong: boolean): Promise<PlaceOutcome> {
    return new Promise((resolve) => {
      const settle = (outcome: PlaceOutcome): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        if (isPlace(outcome)) this.#begin(owner, outcome);
        resolve(outcome);
      };
      const abort = (): void => settle('aborted');
      const waiting: Waiting = { owner, isLong, settle };
      const timer = setTimeout(() => settle('busy'), WAIT_MS);
      signal.addEventListener('abort', abort, { once: true });
      this.#waiting.push(waiting);
    });
  }
}
