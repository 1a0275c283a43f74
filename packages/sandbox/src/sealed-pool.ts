import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CodeAnswer } from './code-runner';
import { SANDBOX_LIMITS } from './limits';
import type { ProcessStop } from './sandbox-process';
import { SandboxProcess } from './sandbox-process';
import { answerOf, MAX_ATTEMPTS, MAX_RUNS } from './pool';
import type { PoolOptions, PoolProgram } from './pool';
import { ProcessTurns } from './process-turns';
import { CODE_FLAGS, SandboxSpawner } from './spawn-sandbox';

/** Time after which an idle process is ended. */
const IDLE_MS = 60_000;
/** Part of the memory of a run that V8's heap may have; the rest is for what lies outside of it. */
const HEAP_PART = 0.75;

/** The program that runs code in V8. */
const CODE_PROGRAM: PoolProgram = {
  path: join(__dirname, 'child', 'sealed-main.js'),
  values: [],
  flags: CODE_FLAGS,
  inputBytes: SANDBOX_LIMITS.inputBytes,
  resultBytes: SANDBOX_LIMITS.resultBytes,
  idleFactor: 2,
};

/** A run for whichever process of its owner. */
export interface PoolJob {
  readonly code: string;
  /** Text, or bytes that nobody changes until the run has ended. */
  readonly input: string | Uint8Array;
  readonly signal: AbortSignal;
}

/** Does the runs of one owner: of the program that runs code, a `CodeRunner`. */
export interface PoolRunner {
  /** Never rejects. */
  run(job: PoolJob): Promise<CodeAnswer>;
}

/** A process and the owner whose code it runs, the only one ever. */
interface OwnedProcess {
  readonly process: SandboxProcess;
  readonly owner: string;
}

interface IdleProcess extends OwnedProcess {
  readonly timer: NodeJS.Timeout;
}

/** A sealed program that broke off by itself ran out of memory: that is how V8 reports it. */
const stopOf = (signal: NodeJS.Signals | null): ProcessStop =>
  signal === 'SIGABRT' || signal === 'SIGTRAP' || signal === 'SIGILL' ? 'memory' : 'crash';

/** MiB of memory that a process has now; 0 where the system does not say. */
const residentMb = (pid = 0): number => {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
};

/**
 * Processes that have sealed themselves. A process serves one owner and is ended after that; one that is loaded and
 * sealed waits for the next owner. Their program is the one that runs code in V8, each run in a realm of its own, if
 * none is stated.
 */
export class SealedPool {
  readonly #options: PoolOptions;
  readonly #program: PoolProgram;
  readonly #spawner = new SandboxSpawner();
  readonly #turns: ProcessTurns;
  readonly #all = new Set<SandboxProcess>();
  /** The process idle longest first. */
  readonly #idle: IdleProcess[] = [];
  #spare: SandboxProcess | undefined;
  #isClosed = false;

  constructor(options: PoolOptions, program = CODE_PROGRAM) {
    this.#options = options;
    this.#program = program;
    this.#turns = new ProcessTurns(options.processes, options.waitingMax, options.onWaited);
  }

  /** Process ids of the sandboxes there are now, and of those that have an owner already. */
  get processIds(): readonly number[] {
    return [...this.#all].flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
  }

  /** Starts the first process. @throws Error if it cannot be started and sealed here */
  async open(): Promise<void> {
    const first = this.#start();
    this.#spare = first;
    await first.ready;
  }

  of(owner: string): PoolRunner {
    return { run: (job) => this.#run(job, owner) };
  }

  /** Ends all processes. Runs under way and waiting ones end as `closed` or `crash`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { timer } of this.#idle.splice(0)) clearTimeout(timer);
    this.#turns.close();
    await Promise.all([...this.#all].map((process) => process.close()));
  }

  async #run({ code, input, signal }: PoolJob, owner: string): Promise<CodeAnswer> {
    const bytes = typeof input === 'string' ? Buffer.from(input) : input;
    if (bytes.length > this.#program.inputBytes) return { kind: 'stopped', reason: 'input', console: [] };
    const turn = await this.#turns.take(owner, signal);
    if (turn !== 'taken') return { kind: 'stopped', reason: turn, console: [] };
    try {
      return await this.#runInTurn({ code: Buffer.from(code), input: bytes, signal }, owner);
    } finally {
      this.#turns.giveBack(owner);
    }
  }

  async #runInTurn(
    job: { readonly code: Uint8Array; readonly input: Uint8Array; readonly signal: AbortSignal },
    owner: string,
  ): Promise<CodeAnswer> {
    for (let attempt = 1; ; attempt += 1) {
      if (this.#isClosed) return { kind: 'stopped', reason: 'closed', console: [] };
      const process = this.#take(owner);
      const isReady = await process.ready.then(
        () => !process.isGone,
        () => false,
      );
      if (!isReady) {
        if (attempt < MAX_ATTEMPTS) continue;
        return { kind: 'stopped', reason: this.#isClosed ? 'closed' : 'start', console: [] };
      }
      const isUsed = process.runs > 0;
      const answer = await process.run({ ...job, timeoutMs: this.#options.timeoutMs, killAfterMs: 0 });
      this.#giveBack({ process, owner });
      // A process that earlier runs had used may have come to harm by them, and code has no effects outside.
      if (answer.stopped === 'crash' && isUsed && attempt < MAX_ATTEMPTS && !this.#isClosed) continue;
      return answerOf(answer);
    }
  }

  /** The owner's process that was used last, else one that nobody has used. */
  #take(owner: string): SandboxProcess {
    const index = this.#idle.findLastIndex((idle) => idle.owner === owner);
    const [own] = index < 0 ? [] : this.#idle.splice(index, 1);
    if (own !== undefined) {
      clearTimeout(own.timer);
      return own.process;
    }
    const spare = this.#spare ?? this.#start();
    this.#spare = undefined;
    // The next one is made ready while this one works.
    void spare.ready.then(() => {
      if (!this.#isClosed) this.#spare ??= this.#start();
    });
    return spare;
  }

  #giveBack({ process, owner }: OwnedProcess): void {
    if (process.isGone || this.#isClosed) return;
    if (process.runs >= (this.#options.runsMax ?? MAX_RUNS)) return process.kill();
    const { idleMb } = this.#program;
    if (idleMb !== undefined && residentMb(process.pid) > idleMb) return process.kill();
    const timer = setTimeout(() => process.kill(), IDLE_MS);
    timer.unref();
    this.#idle.push({ process, owner, timer });
    if (this.#idle.length > this.#options.processes * this.#program.idleFactor) this.#idle[0]?.process.kill();
  }

  #start(): SandboxProcess {
    const { memoryMb } = this.#options;
    const { path, flags, values, resultBytes } = this.#program;
    const heapMb = Math.floor(memoryMb * HEAP_PART);
    const started = this.#spawner.spawnSealed(path, flags, heapMb, String(memoryMb), ...values);
    const process = new SandboxProcess(started, { resultBytes, endsWithInput: false, stopOf });
    this.#all.add(process);
    void process.gone.then(() => this.#forget(process));
    return process;
  }

  #forget(process: SandboxProcess): void {
    this.#all.delete(process);
    if (this.#spare === process) this.#spare = undefined;
    const index = this.#idle.findIndex((idle) => idle.process === process);
    const [gone] = index < 0 ? [] : this.#idle.splice(index, 1);
    clearTimeout(gone?.timer);
  }
}
