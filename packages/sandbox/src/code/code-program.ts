import { join } from 'node:path';
import { SANDBOX_LIMITS } from '../pools/limits';
import type { PoolProgram } from '../pools/pool';
import { CODE_FLAGS } from '../spawn-sandbox';

/** Maximum MiB of an idle process, half of which it shares with others. */
const IDLE_CODE_MB = 144;
/**
 * Runs per process. Each run has a separate realm, and memory is checked while the process is idle, so this only guards
 * against the unforeseen: a new process has to recompile its owner's code.
 */
const MAX_CODE_RUNS = 10_000;

/** Maximum number of idle processes, assigned to an owner or spare: each uses a few descriptors. */
export const MAX_HELD = 64;

/** The program that runs code in V8. */
export const CODE_PROGRAM: PoolProgram = {
  path: join(__dirname, '..', 'child', 'code-server.js'),
  values: [],
  flags: CODE_FLAGS,
  inputBytes: SANDBOX_LIMITS.inputBytes,
  resultBytes: SANDBOX_LIMITS.resultBytes,
  idleMb: IDLE_CODE_MB,
  runsMax: MAX_CODE_RUNS,
  isForked: true,
};
