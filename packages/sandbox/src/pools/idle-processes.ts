import type { ProcessMemory } from '../process/resident-memory';

/** Time after which an idle process is ended. */
const IDLE_MS = 60_000;
/**
 * Milliseconds until the memory of a newly idle process is checked. A check costs as much as short code, and even code
 * that only fills memory does not get far in that time.
 */
const LOOK_MS = 20;

/** The part of a process that matters while it is idle. */
interface Endable {
  /** Its current memory. */
  memory(): ProcessMemory;
  kill(): void;
}

/** MiB above which idle processes are ended. */
export interface IdleLimits {
  /** Total memory of each process; unlimited if absent. */
  readonly eachMb?: number | undefined;
  /** Private memory of all together: those idle longest are ended first; unlimited if absent. */
  readonly togetherMb?: number | undefined;
}

interface Idle<Process> {
  readonly process: Process;
  readonly owner: string;
  readonly timer: NodeJS.Timeout;
  readonly since: number;
  /** At the last check. */
  ownMb: number;
}

/** Processes of a pool that wait for another run of their owner, and are ended if none comes in time. */
export class IdleProcesses<Process extends Endable> {
  readonly #limits: IdleLimits;
  /** Longest idle first. */
  readonly #idle: Idle<Process>[] = [];
  /** Processes that became idle since memory was last checked. */
  readonly #unseen = new Set<Process>();
  #look: NodeJS.Timeout | undefined;

  constructor(limits: IdleLimits) {
    this.#limits = limits;
  }

  get count(): number {
    return this.#idle.length;
  }

  /** The time since which the longest idle process has been idle. */
  get since(): number | undefined {
    return this.#idle[0]?.since;
  }

  add(process: Process, owner: string): void {
    const timer = setTimeout(() => process.kill(), IDLE_MS).unref();
    this.#idle.push({ process, owner, timer, since: performance.now(), ownMb: 0 });
    if (this.#limits.eachMb === undefined) return;
    this.#unseen.add(process);
    this.#look ??= setTimeout(() => this.#lookAtMemory(), LOOK_MS).unref();
  }

  /** The owner's most recently used process. */
  takeLast(owner: string): Process | undefined {
    return this.#takeAt(this.#idle.findLastIndex((idle) => idle.owner === owner));
  }

  takeLongest(): Process | undefined {
    return this.#takeAt(0);
  }

  /** @returns false if it was not idle */
  remove(process: Process): boolean {
    return this.#takeAt(this.#idle.findIndex((idle) => idle.process === process)) !== undefined;
  }

  #takeAt(index: number): Process | undefined {
    const [taken] = index < 0 ? [] : this.#idle.splice(index, 1);
    clearTimeout(taken?.timer);
    return taken?.process;
  }

  /** A process with another run is checked after that run. */
  #lookAtMemory(): void {
    this.#look = undefined;
    const { eachMb = Infinity, togetherMb = Infinity } = this.#limits;
    for (const idle of this.#idle.filter(({ process }) => this.#unseen.has(process))) {
      const { residentMb, ownMb } = idle.process.memory();
      idle.ownMb = ownMb;
      if (residentMb > eachMb && this.remove(idle.process)) idle.process.kill();
    }
    this.#unseen.clear();
    let sum = this.#idle.reduce((total, { ownMb }) => total + ownMb, 0);
    for (const { process, ownMb } of [...this.#idle]) {
      if (sum <= togetherMb) return;
      sum -= ownMb;
      if (this.remove(process)) process.kill();
    }
  }
}
