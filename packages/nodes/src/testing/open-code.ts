import { type CodeRunner, openSandboxes } from '@weft/sandbox';

/** What runs code as a runner does here, one run at a time, and the way to end it. */
export interface OpenCode extends CodeRunner {
  readonly close: () => Promise<void>;
}

/** Opens a sandbox for tests. @param timeoutMs milliseconds that the code of one node may take */
export const openCode = (timeoutMs = 5_000): OpenCode => {
  const sandboxes = openSandboxes({ processes: 1, memoryMb: 64, timeoutMs });
  return { run: sandboxes.of('owner').run, close: sandboxes.close };
};
