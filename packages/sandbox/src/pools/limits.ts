/** Limits of one run of user code other than time and memory, which are configurable. Sizes are in bytes. */
export const SANDBOX_LIMITS = {
  /** Data that is copied into a run: items, other nodes' items, variables. */
  inputBytes: 16 * 1024 * 1024,
  /** The JSON text of the result of a run. */
  resultBytes: 16 * 1024 * 1024,
  /** Everything written to the console. */
  consoleBytes: 100 * 1024,
  /** Arguments and response of one call that leaves the realm, such as text to hash or a URL to parse. */
  hostCallBytes: 4 * 1024 * 1024,
  /** A request to the regex process, and its response: the text, or groups of it. */
  regexBytes: 32 * 1024 * 1024,
} as const;

/** Maximum private memory of each kind of process, in MiB, in addition to the memory shared by all Node processes. */
export const PROCESS_MEMORY = {
  /** Running code, in addition to the memory the code may use: shared pages that it has changed. */
  code: 22,
  /** The server that starts code processes. */
  codeServer: 24,
  /** Idle with code, assigned to an owner or spare; most use a tenth of that. */
  heldCode: 94,
  /**
   * The server that starts Python processes, once code in Python has run, and what each of these takes in addition to
   * one for other code. Both come out of the memory of idle processes, which the plan of a runner includes.
   */
  pythonServer: 140,
  python: 15,
  /** For regular expressions with potentially unbounded run time. */
  regex: 87,
} as const;

/** Maximum milliseconds until a process is ready, unless its program needs more. */
export const START_MS = 30_000;

/** Time limit of one search with a regular expression of potentially unbounded run time, in milliseconds. */
export const REGEX_MS = 200;

/** A program that got less than this share of its time as CPU was starved on a busy machine. */
export const STARVED_PART = 0.5;

/** Time limits of the attempts at one search, in milliseconds. A starved search gets another attempt. */
export const REGEX_ATTEMPTS_MS = [REGEX_MS, 2 * REGEX_MS, 4 * REGEX_MS] as const;
/** Sum of the limits. */
export const MAX_SEARCH_MS = REGEX_ATTEMPTS_MS.reduce((sum, ms) => sum + ms, 0);

/** Milliseconds between the time limit of a search, which its process measures itself, and the kill signal. */
export const KILL_AFTER_MS = 100;

/** Maximum bytes of a job: its data, and 4 MiB for its header and its code. */
export const MAX_JOB_BYTES = SANDBOX_LIMITS.inputBytes + 4 * 1024 * 1024;
