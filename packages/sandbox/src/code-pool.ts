import type { CodeAnswer, CodeJob, CodeRunner } from './code-runner';
import { KILL_AFTER_MS, SANDBOX_LIMITS } from './limits';
import type { ProcessAnswer } from './sandbox-process';
import { SandboxProcess } from './sandbox-process';
import { SandboxSpawner } from './spawn-sandbox';

/** Runs in a process before a new one takes its place. */
const MAX_RUNS = 1_000;
/** Runs that wait for a process. */
const MAX_WAITING = 1_000;
/** Processes that may end under a run before that counts as its doing, though others had used them before. */
const MAX_ATTEMPTS = 3;
/** Time limit of a waiting run. */
const WAIT_MS = 60_000;

/** Settings of a pool. */
export interface CodePoolOptions {
  /** Maximum processes. Each is started when it is first needed, and reused. */
  readonly processes: number;
  /** MiB that one run may use. */
  readonly memoryMb: number;
  /** Milliseconds that one run may take. */
  readonly timeoutMs: number;
  /** Milliseconds after that until the signal that ends the process; KILL_AFTER_MS if absent. */
  readonly killAfterMs?: number;
  /** Runs in a process before a new one takes its place; 1,000 if absent. */
  readonly runsMax?: number;
  /** Runs that wait for a process; 1,000 if absent. */
  readonly waitingMax?: number;
}

interface Waiting {
  readonly take: (process: SandboxProcess) => void;
  readonly giveUp: () => void;
}

/** Processes that run the code of Code nodes. */
export class CodePool implements CodeRunner {
  readonly #options: CodePoolOptions;
  readonly #spawner = new SandboxSpawner();
  readonly #all = new Set<SandboxProcess>();
  readonly #idle: SandboxProcess[] = [];
  readonly #waiting: Waiting[] = [];
  #isClosed = false;

  constructor(options: CodePoolOptions) {
    this.#options = options;
  }

  /** Process ids of the sandboxes there are now. */
  get processIds(): readonly number[] {
    return [...this.#all].flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
  }

  async run({ code, input, signal }: CodeJob): Promise<CodeAnswer> {
    const { timeoutMs, killAfterMs = KILL_AFTER_MS } = this.#options;
    const bytes = Buffer.from(input);
    if (bytes.length > SANDBOX_LIMITS.inputBytes) return { kind: 'stopped', reason: 'input', console: [] };
    for (let attempt = 1; ; attempt += 1) {
      const process = await this.#take(signal);
      if (typeof process === 'string') return { kind: 'stopped', reason: process, console: [] };
      const isUsed = process.runs > 0;
      const answer = await process.run({ code: Buffer.from(code), input: bytes, timeoutMs, killAfterMs, signal });
      this.#giveBack(process);
      // A process that served others may have come to harm by them, and code has no effects outside: it runs again.
      if (answer.stopped === 'crash' && isUsed && attempt < MAX_ATTEMPTS && !this.#isClosed) continue;
      return asAnswer(answer);
    }
  }

  /** Ends all processes. Runs under way and waiting ones end as `closed` or `crash`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const waiting of this.#waiting.splice(0)) waiting.giveUp();
    await Promise.all([...this.#all].map((process) => process.close()));
    this.#spawner.close();
  }

  /** A process of one's own, or why there is none. */
  async #take(signal: AbortSignal): Promise<SandboxProcess | 'aborted' | 'busy' | 'closed' | 'start'> {
    for (;;) {
      if (this.#isClosed) return 'closed';
      if (signal.aborted) return 'aborted';
      const process =
        this.#idle.pop() ?? (this.#all.size < this.#options.processes ? this.#start() : await this.#wait(signal));
      if (process === undefined) return signal.aborted ? 'aborted' : this.#isClosed ? 'closed' : 'busy';
      try {
        await process.ready;
        if (!process.isGone) return process;
      } catch {
        if (!this.#isClosed && !this.#spawner.loosen()) return 'start';
      }
    }
  }

  #start(): SandboxProcess {
    const process = new SandboxProcess(this.#spawner.spawn('child/main', String(this.#options.memoryMb)));
    this.#all.add(process);
    void process.gone.then(() => {
      this.#all.delete(process);
      const index = this.#idle.indexOf(process);
      if (index >= 0) this.#idle.splice(index, 1);
      // A run that waits for a free process may have waited for this one.
      if (this.#waiting.length > 0 && !this.#isClosed && this.#all.size < this.#options.processes)
        this.#giveBack(this.#start());
    });
    return process;
  }

  #giveBack(process: SandboxProcess): void {
    if (process.isGone || this.#isClosed) return;
    if (process.runs >= (this.#options.runsMax ?? MAX_RUNS)) return void process.close();
    const next = this.#waiting.shift();
    if (next === undefined) this.#idle.push(process);
    else next.take(process);
  }

  #wait(signal: AbortSignal): Promise<SandboxProcess | undefined> {
    if (this.#waiting.length >= (this.#options.waitingMax ?? MAX_WAITING)) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const finish = (process?: SandboxProcess): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
        const index = this.#waiting.indexOf(waiting);
        if (index >= 0) this.#waiting.splice(index, 1);
        resolve(process);
      };
      const giveUp = (): void => finish();
      const waiting: Waiting = { take: finish, giveUp };
      const timer = setTimeout(giveUp, WAIT_MS);
      signal.addEventListener('abort', giveUp, { once: true });
      this.#waiting.push(waiting);
    });
  }
}

function asAnswer({ result, stopped, console }: ProcessAnswer): CodeAnswer {
  return result === undefined
    ? { kind: 'stopped', reason: stopped ?? 'crash', console }
    : { kind: 'result', report: result, console };
}
