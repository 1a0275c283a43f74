import { setTimeout as sleep } from 'node:timers/promises';
import type { EncodedJob } from '../frames';
import { SANDBOX_LIMITS } from '../limits';
import type { Engine, EngineValue } from './engine';
import { EngineException, OutOfMemory } from './engine';
import { describeSyntaxError } from './syntax-error';
import { withinTime } from './within-time';

/** The reason a run was ended before it gave a result. `never`: it waits for something that cannot happen. */
export type StopReason = 'time' | 'memory' | 'stack' | 'result' | 'never' | 'engine';

/** Outcome of a run: JSON text created by the code, or the reason why there is none. */
export type RunOutcome = { readonly result: Buffer } | { readonly stopped: StopReason };

/** Jobs that run before the clock is read again. */
const JOBS_AT_ONCE = 1_000;

/**
 * The engine ends its code itself when the time is over, unless it is in a loop of its own: that is ended after so
 * many milliseconds more.
 */
const INTERRUPT_MS = 30;

/** The functions of the prelude. */
export interface Prelude {
  /** Takes the user's function, its text and the data, and begins. */
  readonly start: EngineValue;
  /** Returns the result if there is one, else `wait:` and the milliseconds until something can continue, or `never`. */
  readonly poll: EngineValue;
}

/**
 * Runs one job in a fresh engine. `remainingMs` returns how much of its time is left. The engine is of no use
 * afterwards.
 */
export async function runCode(
  engine: Engine,
  prelude: Prelude,
  job: EncodedJob,
  remainingMs: () => number,
): Promise<RunOutcome> {
  const isLate = (): boolean => remainingMs() <= 0;
  const inTime = <T>(work: () => T): T => withinTime(remainingMs() + INTERRUPT_MS, work);
  try {
    for (let isFirst = true; ; isFirst = false) {
      // All of the first step at once: the watch over the time costs more than most code.
      const answer = inTime(() => (isFirst ? begin(engine, prelude, job) : undefined) ?? goOn(engine, prelude, isLate));
      if (answer === undefined) return { stopped: 'time' };
      if (answer.length > SANDBOX_LIMITS.resultBytes) return { stopped: 'result' };
      if (answer[0] === 0x7b) return { result: answer };
      if (answer.toString() === 'never') return { stopped: 'never' };
      await sleep(Math.max(0, Math.min(Number(answer.subarray('wait:'.length).toString()), remainingMs())));
      if (isLate()) return { stopped: 'time' };
    }
  } catch (error) {
    return { stopped: isLate() ? 'time' : reasonOf(error) };
  }
}

/** Starts the user's function. Returns the result at once if its text is not one. */
function begin(engine: Engine, prelude: Prelude, job: EncodedJob): Buffer | undefined {
  const source = compile(engine, job.code);
  if ('result' in source) return source.result;
  const texts = [engine.text(job.code), engine.text(job.input)];
  engine.free(engine.call(prelude.start, source.callee, ...texts));
  for (const text of texts) engine.free(text);
  return undefined;
}

/** Runs what promises have left, and asks for the result. Undefined if the time is over. */
function goOn(engine: Engine, prelude: Prelude, isLate: () => boolean): Buffer | undefined {
  while (engine.runJobs(JOBS_AT_ONCE) > 0) if (isLate()) return undefined;
  return engine.read(engine.call(prelude.poll));
}

/** The user's function, or the result that says why its text is not one. */
function compile(engine: Engine, code: Uint8Array): { callee: EngineValue } | { result: Buffer } {
  try {
    return { callee: engine.evaluate(code, 'code') };
  } catch (error) {
    if (!(error instanceof EngineException)) throw error;
    return {
      result: Buffer.from(JSON.stringify({ error: describeSyntaxError(Buffer.from(code).toString(), error.message) })),
    };
  }
}

function reasonOf(error: unknown): StopReason {
  if (error instanceof OutOfMemory) return 'memory';
  // V8's own stack ran out below the engine, before the engine's bound was reached.
  return error instanceof RangeError ? 'stack' : 'engine';
}
