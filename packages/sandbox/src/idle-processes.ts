import type { ProcessMemory } from './resident-memory';

/** Time after which an idle process is ended. */
const IDLE_MS = 60_000;
/**
 * Milliseconds until the memory of a process that has become idle is looked at. A look costs as much as short code, and
 * in so little time not even code that only fills memory gets far.
 */
const LOOK_MS = 20;

/** A process as far as it matters while it is idle. */
interface Endable {
  /** What it has now. */
  memory(): ProcessMemory;
  kill(): void;
}

/** MiB above which idle processes are ended. */
export interface IdleLimits {
  /** One of them, in all; any number if absent. */
  readonly eachMb?: number | undefined;
  /** All together, of their own: those that are idle longest are ended first; any number if absent. */
  readonly togetherMb?: number | undefined;
}

interface Idle<Process> {
  readonly process: Process;
  readonly owner: string;
  readonly timer: NodeJS.Timeout;
  readonly since: number;
  /** As it was when it was looked at. */
  ownMb: number;
}

/** Processes of a pool that wait for another run of their owner. They are ended when that takes too long. */
export class IdleProcesses<Process extends Endable> {
  readonly #limits: IdleLimits;
  /** The process idle longest first. */
  readonly #idle: Idle<Process>[] = [];
  /** Processes that have become idle since memory was looked at. */
  readonly #unseen = new Set<Process>();
  #look: NodeJS.Timeout | undefined;

  constructor(limits: IdleLimits) {
    this.#limits = limits;
  }

  get count(): number {
    return this.#idle.length;
  }

  /** The time since which one is idle longest. */
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

  /** The process of an owner that was used last. */
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

  /** One that has a run again is looked at after that. */
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
