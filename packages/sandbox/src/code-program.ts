import { join } from 'node:path';
import { SANDBOX_LIMITS } from './limits';
import type { PoolProgram } from './pool';
import { CODE_FLAGS } from './spawn-sandbox';

/** MiB that an idle process may have, half of which it has in common with others. */
const IDLE_CODE_MB = 144;
/**
 * Runs of code in a process. Each has a realm of its own, and the memory of the process is looked at when it is idle,
 * so this is only for what nobody thought of: a new process has to compile its owner's code anew.
 */
const MAX_CODE_RUNS = 10_000;

/** Processes that are held for their owners, or ready for the next one, at most: each costs a few descriptors. */
export const MAX_HELD = 64;

/** The program that runs code in V8. */
export const CODE_PROGRAM: PoolProgram = {
  path: join(__dirname, 'child', 'code-server.js'),
  values: [],
  flags: CODE_FLAGS,
  inputBytes: SANDBOX_LIMITS.inputBytes,
  resultBytes: SANDBOX_LIMITS.resultBytes,
  idleMb: IDLE_CODE_MB,
  runsMax: MAX_CODE_RUNS,
  isForked: true,
};
