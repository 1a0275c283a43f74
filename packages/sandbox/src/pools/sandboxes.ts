import { MAX_HELD } from '../code/code-program';
import type { CodeAnswer, CodeRunner } from '../code/code-runner';
import { pythonFolder } from '../python/python-package';
import { pythonProgram } from '../python/python-program';
import { PROCESS_MEMORY } from './limits';
import { type PoolOptions, stopped } from './pool';
import { createPoolShare } from './pool-share';
import { SealedPool } from './sealed-pool';

export interface SandboxesOptions extends PoolOptions {
  /** Maximum private memory of all idle processes together, in MiB. Default: unlimited. */
  readonly heldMb?: number;
  /** Called if the first process cannot be started and sealed. */
  readonly onUnavailable?: (reason: Error) => void;
  /** Path of the folder of Pyodide. Default: where it is installed, if it is. */
  readonly pythonPath?: string | undefined;
  /** Called once when code in Python cannot run, because Pyodide is not installed. */
  readonly onNoPython?: () => void;
}

/** Processes that run the code of Code nodes. */
export interface Sandboxes {
  /** The runner for the code of one owner. */
  of(owner: string): CodeRunner;
  /** Resolves when code can run, or is refused because it cannot. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

/** MiB of Python: its server, and shared pages that its processes change in addition to those of other code. */
const pythonMb = (processes: number): number => PROCESS_MEMORY.pythonServer + (processes + 2) * PROCESS_MEMORY.python;

/**
 * Opens sandboxes. Starts the first process immediately, to find out whether it can be sealed. Those for Python start
 * with the first code in Python, and share the places of the others; from then on less memory is kept for idle ones.
 */
export const openSandboxes = ({ onNoPython, ...options }: SandboxesOptions): Sandboxes => {
  const share = createPoolShare({ held: MAX_HELD, ...options });
  const folder = 'pythonPath' in options ? options.pythonPath : pythonFolder();
  let python: SealedPool | undefined;
  const pool = new SealedPool({
    ...options,
    share,
    heldMb: () => (options.heldMb ?? Infinity) - (python === undefined ? 0 : pythonMb(options.processes)),
  });
  const openPython = (path: string): SealedPool =>
    (python ??= new SealedPool({ ...options, share }, pythonProgram(path)));
  let isRefused = false;
  const refusePython = (): CodeAnswer => {
    if (!isRefused) onNoPython?.();
    isRefused = true;
    return stopped('absent');
  };
  const opening = pool.open().catch((reason: Error) => options.onUnavailable?.(reason));
  return {
    of: (owner) => ({
      run: async (job) => {
        if (job.language !== 'python') return pool.of(owner).run(job);
        return folder === undefined ? refusePython() : openPython(folder).of(owner).run(job);
      },
    }),
    ready: () => opening,
    close: async () => {
      share.places.close();
      await Promise.all([pool.close(), python?.close()]);
    },
  };
};
