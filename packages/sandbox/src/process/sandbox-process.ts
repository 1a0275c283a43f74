import type { StopReason } from '../code/code-runner';
import { measureCpu } from './cpu-time';
import { encodeJob, FRAME, FrameReader, FrameTooLarge, writeFrame } from './frames';
import type { Frame } from './frames';
import { SANDBOX_LIMITS, START_MS, STARVED_PART } from '../pools/limits';
import { isOutOfMemory } from '../pools/memory-limit';
import { measureMemory, type MemoryMeter, type ProcessMemory } from './resident-memory';
import type { SandboxChild } from './sandbox-child';
import { SealUnavailable } from '../seal-unavailable';
import { watchWhetherLong } from './watch-whether-long';

/**
 * A limit that fires this late shows that this process itself stalled, and neither sent the whole job nor read the
 * response meanwhile.
 */
const LATE_MS = 100;
/** Maximum number of times a run gets its time again for one of these reasons. */
const MAX_EXTENSIONS = 2;
const NO_MEMORY: ProcessMemory = { residentMb: 0, ownMb: 0 };
/** Room in a frame for anything but the result. */
const FRAME_EXTRA_BYTES = 1024;

/**
 * Why there is no result. `crash`: the process ended; `aborted`: the caller aborted the run; `displaced`: it took long,
 * and another run needed its place.
 */
export type ProcessStop = StopReason | 'time' | 'crash' | 'aborted' | 'displaced';

/** Outcome of a run. */
export interface ProcessAnswer {
  /** Untrusted JSON text created in the sandbox. */
  readonly result?: Buffer;
  readonly stopped?: ProcessStop;
  /** With `crash`: a signal ended the process that neither it nor this pool sent for a limit. */
  readonly wasKilled?: true;
  readonly console: readonly string[];
}

export interface ProcessJob {
  readonly code: Uint8Array;
  readonly input: Uint8Array;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Called repeatedly once the run takes long: may it continue? Absent: always. */
  readonly mayGoOn?: () => boolean;
}

/** Signals by which others end a process: the kernel when memory is short, an operator, a supervisor. */
const KILLS: ReadonlySet<NodeJS.Signals> = new Set(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT']);

interface CurrentRun {
  readonly answer: (answer: ProcessAnswer) => void;
  readonly console: string[];
  consoleBytes: number;
  stopped: ProcessStop | undefined;
}

/**
 * A process that runs code, one run at a time. Whatever the code does, a run ends within its time limit and a small
 * margin, or within three times that if a busy machine starved it.
 */
export class SandboxProcess {
  /**
   * Rejects if the process ends before it is ready, or is not ready in time, or with `SealUnavailable` if it could not
   * be sealed.
   */
  readonly ready: Promise<void>;
  /** Resolves when the process has ended. */
  readonly gone: Promise<void>;
  readonly #frames: FrameReader;
  #child: SandboxChild | undefined;
  #memory: MemoryMeter | undefined;
  #run: CurrentRun | undefined;
  #isGone = false;
  #runs = 0;

  /**
   * @param child a process that was started or is being started
   * @param resultBytes maximum bytes of a result
   * @param startMs time for it to become ready
   */
  constructor(child: SandboxChild | Promise<SandboxChild>, resultBytes: number, startMs = START_MS) {
    this.#frames = new FrameReader(resultBytes + FRAME_EXTRA_BYTES);
    const { promise: ready, resolve: isReady, reject: isNotReady } = Promise.withResolvers<void>();
    const { promise: gone, resolve: isGone } = Promise.withResolvers<void>();
    this.ready = ready;
    this.gone = gone;
    const timer = setTimeout(() => this.kill(), startMs);
    const onReady = (failure?: Error): void => {
      clearTimeout(timer);
      if (failure !== undefined) return isNotReady(failure);
      this.#memory?.begin();
      isReady();
    };
    const onEnd = (
      signal: NodeJS.Signals | null,
      failure = new Error('The sandbox process ended before it was ready.'),
    ): void => {
      const wasKilled = !this.#isGone && signal !== null && KILLS.has(signal);
      this.#isGone = true;
      this.#memory?.close();
      const stopped = this.#run?.stopped ?? (isOutOfMemory(signal) ? 'memory' : 'crash');
      this.#finish(wasKilled && stopped === 'crash' ? { stopped, wasKilled } : { stopped });
      onReady(failure);
      isGone();
    };
    const begin = (started: SandboxChild): void => {
      this.#child = started;
      if (started.pid !== undefined) this.#memory = measureMemory(started.pid, started.isCopy);
      started.output.on('data', (piece: Buffer) => this.#take(piece, onReady));
      void started.ended.then((signal) => onEnd(signal));
      if (this.#isGone) started.kill();
    };
    ready.catch(() => undefined);
    if (child instanceof Promise) child.then(begin, (error: Error) => onEnd(null, error));
    else begin(child);
  }

  /** Number of runs that have ended. */
  get runs(): number {
    return this.#runs;
  }

  /**
   * True if it accepts no more runs. A process that was told to end counts as gone, even if a response is still in
   * flight.
   */
  get isGone(): boolean {
    return this.#isGone;
  }

  /** Process id; undefined if it could not be started. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Its current memory. */
  memory(): ProcessMemory {
    return this.#memory?.now() ?? NO_MEMORY;
  }

  /** Runs code. Never rejects. Call it only while no other run is in progress. */
  run(job: ProcessJob): Promise<ProcessAnswer> {
    const child = this.#child;
    if (this.#isGone || child === undefined) return Promise.resolve({ stopped: 'crash', console: [] });
    return new Promise((resolve) => {
      const { timeoutMs } = job;
      const cpu = this.pid === undefined ? undefined : measureCpu(this.pid);
      const cpuMs = (): number | undefined => cpu?.ms();
      const wait = (extensions: number): NodeJS.Timeout => {
        const dueAt = performance.now() + timeoutMs;
        return setTimeout(() => {
          const isLate = performance.now() - dueAt >= LATE_MS;
          const isStarved = (cpuMs() ?? timeoutMs) < timeoutMs * STARVED_PART;
          if (extensions < MAX_EXTENSIONS && (isLate || isStarved)) timer = wait(extensions + 1);
          else this.#end('time');
        }, timeoutMs);
      };
      let timer = wait(0);
      const onLong = (): void => {
        if (job.mayGoOn?.() === false) this.#end('displaced');
      };
      const stopWatching = this.pid === undefined ? undefined : watchWhetherLong(this.pid, cpuMs, onLong);
      const abort = (): void => this.#end('aborted');
      job.signal.addEventListener('abort', abort, { once: true });
      const answer = (given: ProcessAnswer): void => {
        clearTimeout(timer);
        stopWatching?.();
        cpu?.stop();
        job.signal.removeEventListener('abort', abort);
        resolve(given);
      };
      this.#run = { answer, console: [], consoleBytes: 0, stopped: undefined };
      writeFrame(child.input, FRAME.job, ...encodeJob(job));
      if (job.signal.aborted) abort();
    });
  }

  /** Ends the process and waits until it has ended. */
  async close(): Promise<void> {
    this.kill();
    this.#child?.input.end();
    await this.gone;
  }

  /** Ends the process immediately. */
  kill(): void {
    this.#isGone = true;
    this.#child?.kill();
  }

  #end(reason: ProcessStop): void {
    if (this.#run !== undefined) this.#run.stopped ??= reason;
    this.kill();
  }

  #take(piece: Buffer, start: (failure?: Error) => void): void {
    try {
      for (const frame of this.#frames.push(piece)) {
        if (frame.kind === FRAME.ready) start();
        else if (frame.kind === FRAME.unsealed) start(new SealUnavailable(frame.body.toString()));
        else this.#takeAnswer(frame);
      }
    } catch (error) {
      this.#end(error instanceof FrameTooLarge ? 'result' : 'crash');
    }
  }

  #takeAnswer({ kind, body }: Frame): void {
    if (this.#run === undefined) return this.kill();
    if (kind === FRAME.console) addLines(this.#run, body);
    else if (kind === FRAME.result) this.#finish({ result: Buffer.from(body) });
    else if (kind === FRAME.stopped) this.#finish({ stopped: readReason(body) });
    else this.#end('crash');
  }

  #finish(answer: Omit<ProcessAnswer, 'console'>): void {
    const run = this.#run;
    if (run === undefined) return;
    this.#run = undefined;
    this.#runs += 1;
    run.answer({ ...answer, console: run.console });
  }
}

const REASONS: readonly StopReason[] = ['memory', 'result', 'never', 'engine'];

function readReason(body: Buffer): ProcessStop {
  const value: unknown = JSON.parse(body.toString());
  const stopped = typeof value === 'object' && value !== null && 'stopped' in value ? value.stopped : undefined;
  return REASONS.find((reason) => reason === stopped) ?? 'crash';
}

/** Adds console output and applies its limit again, because the process may be compromised. */
function addLines(run: CurrentRun, body: Buffer): void {
  run.consoleBytes += body.length;
  if (run.consoleBytes > SANDBOX_LIMITS.consoleBytes * 7) return;
  const value: unknown = JSON.parse(body.toString());
  if (Array.isArray(value)) run.console.push(...value.filter((line) => typeof line === 'string'));
}
