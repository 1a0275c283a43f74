import type { JobInput } from '../pools/job-input';

/** A language of code. */
export type CodeLanguage = 'javaScript' | 'python';

/** Code to run, and its input. */
export interface CodeJob {
  /** A function expression in JavaScript, or the body of a function in Python. */
  readonly code: string;
  /** Default: JavaScript. */
  readonly language?: CodeLanguage;
  /** JSON text, in UTF-8 if it is bytes. */
  readonly input: JobInput;
  /** Aborting ends the run. */
  readonly signal: AbortSignal;
  /** Time limit in milliseconds, if it is to be lower than that of the runner. */
  readonly timeoutMs?: number;
}

/** Why a program returns no result. `never`: the code waits for something that cannot happen. */
export type StopReason = 'memory' | 'result' | 'never' | 'engine';

/**
 * Why code was stopped or never started: - `time`, `memory`, `result`: it exceeded that limit; `result` is the size of
 * its return value; - `input`: its input is too large; - `never`: it waits for something that cannot happen; -
 * `engine`, `crash`: its engine or its process failed; - `busy`: no process became free in time; `start`: none could be
 * started; `closed`: this runner is stopping; - `unsealed`: no process can be sealed on this system; - `absent`: this
 * runner has no Python; - `aborted`: the signal fired.
 */
export type CodeStop =
  StopReason | 'time' | 'input' | 'crash' | 'busy' | 'start' | 'unsealed' | 'absent' | 'closed' | 'aborted';

/** Outcome of a run, with its console output. */
export type CodeAnswer =
  /** JSON text that the code may have forged. */
  | { readonly kind: 'result'; readonly report: Uint8Array; readonly console: readonly string[] }
  | { readonly kind: 'stopped'; readonly reason: CodeStop; readonly console: readonly string[] };

/** Runs untrusted code: without network, files or environment, in bounded time and memory. */
export interface CodeRunner {
  /** Never rejects. */
  run(job: CodeJob): Promise<CodeAnswer>;
}
