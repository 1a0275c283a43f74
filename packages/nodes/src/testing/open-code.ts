import { type CodeRunner, openSandboxes } from '@weft/sandbox';

/** Runs code as a runner does, one run at a time, until it is closed. */
export interface OpenCode extends CodeRunner {
  readonly close: () => Promise<void>;
}

/** Opens a sandbox for tests. @param timeoutMs time limit for the code of one node in milliseconds */
export const openCode = (timeoutMs = 5_000): OpenCode => {
  const sandboxes = openSandboxes({ processes: 1, memoryMb: 64, timeoutMs });
  return { run: sandboxes.of('owner').run, close: sandboxes.close };
};
