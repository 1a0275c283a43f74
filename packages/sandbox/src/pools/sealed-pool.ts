import { CODE_PROGRAM, MAX_HELD } from '../code/code-program';
import type { CodeAnswer } from '../code/code-runner';
import { ForkServer } from '../fork/fork-server';
import { IdleProcesses } from './idle-processes';
import { bytesOf, type JobInput } from './job-input';
import { answerOf, MAX_ATTEMPTS, MAX_RUNS, stopped } from './pool';
import type { PoolOptions, PoolProgram, RunLimits } from './pool';
import { START_MS } from './limits';
import { createPoolShare, type PoolShare } from './pool-share';
import type { ProcessRoom } from './process-room';
import { isPlace, type Place, type ProcessPlaces } from './process-places';
import { heapMbOf } from './memory-limit';
import type { ProcessAnswer } from '../process/sandbox-process';
import { childOf } from '../process/sandbox-child';
import { SandboxProcess } from '../process/sandbox-process';
import { SealUnavailable } from '../seal-unavailable';
import { sealArchitecture } from '../seal/system-calls';
import { type SealedCommand, SandboxSpawner } from '../spawn-sandbox';

/** A run for any process of its owner. */
export interface PoolJob {
  readonly code: string;
  readonly input: JobInput;
  readonly signal: AbortSignal;
  /** Time limit in milliseconds, if it is to be lower than that of the pool. */
  readonly timeoutMs?: number;
}

/** A run whose input is available. */
interface ReadyJob {
  readonly code: Uint8Array;
  readonly input: Uint8Array;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/** Runs jobs of one owner; for the program that runs code, a `CodeRunner`. */
export interface PoolRunner {
  /** Never rejects. */
  run(job: PoolJob): Promise<CodeAnswer>;
}

/** A process and its only owner. */
interface OwnedProcess {
  readonly process: SandboxProcess;
  readonly owner: string;
}

/**
 * Processes that have sealed themselves. A process serves one owner and is then ended; a spare one, loaded and sealed,
 * waits for the next owner. By default their program runs code in V8, each run in a separate realm.
 */
export class SealedPool {
  readonly #limits: RunLimits;
  readonly #program: PoolProgram;
  readonly #spawner = new SandboxSpawner();
  readonly #server: ForkServer | undefined;
  readonly #places: ProcessPlaces;
  readonly #room: ProcessRoom;
  readonly #ownsPlaces: boolean;
  readonly #all = new Set<SandboxProcess>();
  readonly #idle: IdleProcesses<SandboxProcess>;
  #spare: { readonly process: SandboxProcess; readonly since: number } | undefined;
  /** Why no process can be sealed here; undefined if one was, or none has been started yet. */
  #unavailable: SealUnavailable | undefined;
  #hasSealed = false;
  #isClosed = false;

  /** @param options with a share: limits of this pool and others together, closed by their creator */
  constructor(options: PoolOptions | (RunLimits & { readonly share: PoolShare }), program = CODE_PROGRAM) {
    this.#limits = options;
    this.#program = program;
    if (sealArchitecture() === undefined)
      this.#unavailable = new SealUnavailable(`No process can be sealed on ${process.platform} (${process.arch}).`);
    const { heldMb } = options;
    this.#idle = new IdleProcesses({
      eachMb: program.idleMb,
      get togetherMb() {
        return typeof heldMb === 'function' ? heldMb() : heldMb;
      },
    });
    this.#server =
      program.isForked === true
        ? new ForkServer(() => this.#spawner.spawnForkServer(...this.#command()), this.#startMs)
        : undefined;
    this.#ownsPlaces = !('share' in options);
    const { places, room } = 'share' in options ? options.share : createPoolShare({ held: MAX_HELD, ...options });
    this.#places = places;
    this.#room = room;
    room.join({
      idleSince: () => this.#idle.since ?? this.#spare?.since,
      evict: () => this.#evict(),
    });
  }

  /** Process ids of the current sandboxes, and of those with an owner. */
  get processIds(): readonly number[] {
    return [...this.#all].flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
  }

  /** Starts the first process. @throws Error if it cannot be started and sealed here */
  async open(): Promise<void> {
    if (this.#unavailable !== undefined) throw this.#unavailable;
    await this.#room.enter();
    const first = this.#start();
    this.#spare = { process: first, since: performance.now() };
    await first.ready;
  }

  of(owner: string): PoolRunner {
    return { run: (job) => this.#run(job, owner).catch(() => stopped('start')) };
  }

  /** Ends all processes. Running and waiting runs end as `closed` or `crash`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    while (this.#idle.takeLongest() !== undefined);
    if (this.#ownsPlaces) this.#places.close();
    await Promise.all([...this.#all].map((process) => process.close()));
    await this.#server?.close();
  }

  async #run({ code, input, signal, ...job }: PoolJob, owner: string): Promise<CodeAnswer> {
    const timeoutMs = Math.min(this.#limits.timeoutMs, job.timeoutMs ?? Infinity);
    const isKnownLarge = typeof input !== 'function' && Buffer.byteLength(input) > this.#program.inputBytes;
    if (isKnownLarge) return stopped('input');
    if (this.#unavailable !== undefined) return stopped('unsealed');
    let ready: ReadyJob | undefined;
    for (let isLong = false; ; isLong = true) {
      const outcome = await this.#places.take(owner, signal, isLong);
      if (!isPlace(outcome)) return stopped(outcome);
      let place: Place = outcome;
      try {
        ready ??= await this.#fetch(code, input, signal, timeoutMs);
        if (ready === undefined) return stopped(signal.aborted ? 'aborted' : 'busy');
        if (ready.input.length > this.#program.inputBytes) return stopped('input');
        const mayGoOn = (): boolean => {
          const next = place === 'reserve' ? this.#places.moveLong() : place;
          if (next !== undefined) place = next;
          return next !== undefined;
        };
        const answer = await this.#runInPlace(ready, owner, mayGoOn);
        // A process may have sent its result just before it was killed for the abort.
        if (signal.aborted) return stopped('aborted');
        if (typeof answer === 'string') return stopped(answer);
        // It has no effects outside, so it is run again from the beginning when there is a place for long runs.
        if (answer.stopped !== 'displaced') return answerOf(answer);
        if (typeof input === 'function') ready = undefined;
      } finally {
        this.#places.giveBack(owner, place);
      }
    }
  }

  async #fetch(code: string, input: JobInput, signal: AbortSignal, timeoutMs: number): Promise<ReadyJob | undefined> {
    const bytes = await bytesOf(input);
    return bytes === undefined ? undefined : { code: Buffer.from(code), input: bytes, signal, timeoutMs };
  }

  async #runInPlace(
    job: ReadyJob,
    owner: string,
    mayGoOn: () => boolean,
  ): Promise<ProcessAnswer | 'start' | 'closed' | 'unsealed'> {
    let wasKilled = false;
    for (let attempt = 1, mayBeUsed = true; ; attempt += 1) {
      if (this.#isClosed) return 'closed';
      const process = await this.#take(owner, mayBeUsed);
      if (process === undefined) return 'closed';
      const isReady = await process.ready.then(
        () => !process.isGone,
        () => false,
      );
      if (!isReady) {
        if (this.#unavailable !== undefined) return 'unsealed';
        if (attempt < MAX_ATTEMPTS) continue;
        return this.#isClosed ? 'closed' : 'start';
      }
      const isUsed = process.runs > 0;
      const answer = await process.run({ ...job, mayGoOn });
      this.#giveBack({ process, owner });
      const hasBroken = answer.stopped === 'crash' || answer.stopped === 'memory';
      // Killed from outside, which says nothing about the code: once, in case it does after all.
      const isRepeated: boolean = answer.wasKilled === true && !wasKilled && !job.signal.aborted;
      wasKilled ||= isRepeated;
      if (!isRepeated && (!hasBroken || !isUsed || attempt >= MAX_ATTEMPTS || this.#isClosed)) return answer;
      // Earlier runs may have corrupted the process, or left uncollected memory. Code has no effects outside, so it is
      // repeated: only a process used by no other run shows what the code itself does.
      mayBeUsed = false;
    }
  }

  /**
   * The owner's most recently used process if a used one is allowed, otherwise a fresh one; undefined if the pool was
   * closed.
   */
  async #take(owner: string, mayBeUsed: boolean): Promise<SandboxProcess | undefined> {
    const own = mayBeUsed ? this.#idle.takeLast(owner) : undefined;
    if (own !== undefined) return own;
    const spare = this.#spare?.process;
    this.#spare = undefined;
    if (spare === undefined) {
      await this.#room.enter();
      if (this.#isClosed) {
        this.#room.leave();
        return undefined;
      }
    }
    const process = spare ?? this.#start();
    // Prepare the next one while this one works.
    void process.ready.then(
      () => this.#makeSpare(),
      () => undefined,
    );
    return process;
  }

  /** Prepares one process for the next owner, in preference to keeping several for previous owners. */
  #makeSpare(): void {
    if (this.#isClosed || this.#spare !== undefined) return;
    if (!this.#room.tryEnter()) {
      // Its end calls this method again.
      if (this.#idle.count > 1) this.#evict();
      return;
    }
    this.#spare = { process: this.#start(), since: performance.now() };
  }

  /** Ends the longest idle process. */
  #evict(): void {
    const oldest = this.#idle.takeLongest();
    const process = oldest ?? this.#spare?.process;
    if (oldest === undefined) this.#spare = undefined;
    process?.kill();
  }

  #giveBack({ process, owner }: OwnedProcess): void {
    if (process.isGone || this.#isClosed) return;
    const runsMax = Math.min(this.#program.runsMax ?? MAX_RUNS, this.#limits.runsMax ?? Infinity);
    if (process.runs >= runsMax) return process.kill();
    this.#idle.add(process, owner);
  }

  #start(): SandboxProcess {
    const { resultBytes } = this.#program;
    const child = this.#server?.fork() ?? childOf(this.#spawner.spawnSealed(...this.#command()));
    const process = new SandboxProcess(child, resultBytes, this.#startMs);
    this.#all.add(process);
    process.ready.then(
      () => (this.#hasSealed = true),
      (reason: Error) => this.#onUnready(reason),
    );
    void process.gone.then(() => this.#forget(process));
    return process;
  }

  /** If a process has been sealed before, the failure has another reason. */
  #onUnready(reason: Error): void {
    if (reason instanceof SealUnavailable && !this.#hasSealed) this.#unavailable = reason;
  }

  get #startMs(): number {
    return this.#program.startMs ?? START_MS;
  }

  #command(): SealedCommand {
    const { memoryMb } = this.#limits;
    const { path, flags, values } = this.#program;
    return [path, flags, heapMbOf(memoryMb), String(memoryMb), ...values];
  }

  #forget(process: SandboxProcess): void {
    this.#all.delete(process);
    if (this.#spare?.process === process) this.#spare = undefined;
    this.#idle.remove(process);
    this.#room.leave();
    if (process.runs > 0) this.#makeSpare();
  }
}
