import type { CodeAnswer, CodeJob, CodeRunner } from './code-runner';
import { bytesOf } from './job-input';
import { KILL_AFTER_MS, SANDBOX_LIMITS } from './limits';
import { answerOf, MAX_ATTEMPTS, MAX_RUNS, stopped } from './pool';
import type { PoolOptions } from './pool';
import { isPlace, ProcessTurns } from './process-turns';
import { childOf } from './sandbox-child';
import { SandboxProcess } from './sandbox-process';
import { type OnMissingLayer, SandboxSpawner } from './spawn-sandbox';

/** Settings of a pool. A process is started when it is first needed, and reused. */
export interface CodePoolOptions extends PoolOptions {
  /** Milliseconds after the time of a run until the signal that ends the process; KILL_AFTER_MS if absent. */
  readonly killAfterMs?: number;
  /** Told when processes run without a layer of confinement. */
  readonly onMissingLayer?: OnMissingLayer;
}

/** The owner of runs that nobody in particular has. */
const ANYBODY = '';

/** Processes that run the code of Code nodes in QuickJS. Each run has an engine that no other has touched. */
export class CodePool implements CodeRunner {
  readonly #options: CodePoolOptions;
  readonly #spawner: SandboxSpawner;
  readonly #turns: ProcessTurns;
  readonly #all = new Set<SandboxProcess>();
  readonly #idle: SandboxProcess[] = [];
  #isClosed = false;

  constructor(options: CodePoolOptions) {
    this.#options = options;
    this.#spawner = new SandboxSpawner(options.onMissingLayer);
    this.#turns = new ProcessTurns(options.processes, options.waitingMax, options.onWaited);
  }

  /** Process ids of the sandboxes there are now. */
  get processIds(): readonly number[] {
    return [...this.#all].flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
  }

  of(owner: string): CodeRunner {
    return { run: (job) => this.run(job, owner) };
  }

  async run(job: CodeJob, owner = ANYBODY): Promise<CodeAnswer> {
    const { input, signal } = job;
    if (typeof input !== 'function' && Buffer.byteLength(input) > SANDBOX_LIMITS.inputBytes) return stopped('input');
    const turn = await this.#turns.take(owner, signal);
    if (!isPlace(turn)) return stopped(turn);
    try {
      const bytes = await bytesOf(input);
      if (bytes === undefined) return stopped(signal.aborted ? 'aborted' : 'busy');
      return bytes.length > SANDBOX_LIMITS.inputBytes ? stopped('input') : await this.#runInTurn(job, bytes);
    } finally {
      this.#turns.giveBack(owner, turn);
    }
  }

  /** Ends all processes. Runs under way and waiting ones end as `closed` or `crash`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#turns.close();
    await Promise.all([...this.#all].map((process) => process.close()));
  }

  async #runInTurn({ code, signal }: CodeJob, input: Uint8Array): Promise<CodeAnswer> {
    const { timeoutMs, killAfterMs = KILL_AFTER_MS } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      const process = await this.#take(signal);
      if (typeof process === 'string') return stopped(process);
      const isUsed = process.runs > 0;
      const answer = await process.run({ code: Buffer.from(code), input, timeoutMs, killAfterMs, signal });
      await this.#giveBack(process);
      // A process that served others may have come to harm by them, and code has no effects outside: it runs again.
      if (answer.stopped === 'crash' && isUsed && attempt < MAX_ATTEMPTS && !this.#isClosed) continue;
      return answerOf(answer);
    }
  }

  /** A process of one's own, or why there is none. */
  async #take(signal: AbortSignal): Promise<SandboxProcess | 'aborted' | 'closed' | 'start'> {
    for (;;) {
      if (this.#isClosed) return 'closed';
      if (signal.aborted) return 'aborted';
      const process = this.#idle.pop() ?? this.#start();
      try {
        await process.ready;
        this.#spawner.proven();
        if (!process.isGone) return process;
      } catch {
        if (!this.#isClosed && !this.#spawner.failed()) return 'start';
      }
    }
  }

  #start(): SandboxProcess {
    const process = new SandboxProcess(childOf(this.#spawner.spawn('child/main', String(this.#options.memoryMb))));
    this.#all.add(process);
    void process.gone.then(() => {
      this.#all.delete(process);
      const index = this.#idle.indexOf(process);
      if (index >= 0) this.#idle.splice(index, 1);
    });
    return process;
  }

  /** Waits for the end of a process that has run often enough, so that there are never more than there may be. */
  async #giveBack(process: SandboxProcess): Promise<void> {
    if (process.isGone || this.#isClosed) return;
    if (process.runs >= (this.#options.runsMax ?? MAX_RUNS)) await process.close();
    else this.#idle.push(process);
  }
}
