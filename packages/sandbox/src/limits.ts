/** Limits of one run of user code besides time and memory, which are configured. Sizes are bytes. */
export const SANDBOX_LIMITS = {
  /** Data that is copied into a run: items, other nodes' items, variables. */
  inputBytes: 16 * 1024 * 1024,
  /** The JSON text of the result of a run. */
  resultBytes: 16 * 1024 * 1024,
  /** Everything written to the console. */
  consoleBytes: 100 * 1024,
  /** Arguments and answer of one call that leaves the realm: text to hash, a URL to parse. */
  hostCallBytes: 4 * 1024 * 1024,
  /** A question to the process for regular expressions, and its answer: the text, or groups of it. */
  regexBytes: 32 * 1024 * 1024,
} as const;

/** MiB that a process has of its own at most, besides what all processes of Node share. */
export const PROCESS_MEMORY = {
  /** With code at work, besides what the code may use: what it changes of what it has in common with the others. */
  code: 22,
  /** That starts those with code. */
  codeServer: 24,
  /** With code that is held for its owner, or ready for the next one; most have a tenth of that. */
  heldCode: 94,
  /** For regular expressions that are not sure to end. */
  regex: 87,
} as const;

/** Milliseconds for one search with a regular expression that is not sure to end. */
export const REGEX_MS = 200;

/** A program that had less than this part of its time as CPU was kept waiting by others on a busy machine. */
export const STARVED_PART = 0.5;

/** Milliseconds for the attempts at one search. There is another one if the process was kept waiting in the last. */
export const REGEX_ATTEMPTS_MS = [REGEX_MS, 2 * REGEX_MS, 4 * REGEX_MS] as const;
/** All of them. */
export const MAX_SEARCH_MS = REGEX_ATTEMPTS_MS.reduce((sum, ms) => sum + ms, 0);

/** Milliseconds between the end of a search's time, which its process measures itself, and the signal that ends it. */
export const KILL_AFTER_MS = 100;

/** Maximum bytes of a job: its data, and 4 MiB for its head and its code. */
export const MAX_JOB_BYTES = SANDBOX_LIMITS.inputBytes + 4 * 1024 * 1024;
