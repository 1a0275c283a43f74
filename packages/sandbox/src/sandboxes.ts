import { CodePool } from './code-pool';
import type { CodeRunner } from './code-runner';
import { openPool, type SealChoice } from './open-pool';
import { SealedPool } from './sealed-pool';
import type { OnMissingLayer } from './spawn-sandbox';

/** Settings of sandboxes. */
export interface SandboxesOptions {
  /** `auto` and `off`: in QuickJS where code does not run sealed. */
  readonly seal: SealChoice;
  /** Processes that run code at the same time, besides one for owners who have none running. */
  readonly processes: number;
  /**
   * Sealed processes that are held for their owners, or ready for the next one, besides; 64 if absent.
   */
  readonly held?: number;
  /** MiB that those which are held may have of their own, all together; any number if absent. */
  readonly heldMb?: number;
  /** MiB that one run may use. */
  readonly memoryMb: number;
  /** Milliseconds that one run may take. */
  readonly timeoutMs: number;
  /** Told how long each run has waited for its process, in milliseconds. */
  readonly onWaited?: (ms: number) => void;
  /** Told when code runs in QuickJS because no process can be sealed here, with the reason. */
  readonly onUnsealed?: (reason: Error) => void;
  /** Told when processes of QuickJS run without a layer of confinement. */
  readonly onMissingLayer?: OnMissingLayer;
}

/** Processes that run the code of Code nodes. */
export interface Sandboxes {
  /** What runs the code of one owner. */
  of(owner: string): CodeRunner;
  /** Resolves when code can run. @throws Error if it can run sealed only, and no process can be sealed here */
  ready(): Promise<void>;
  close(): Promise<void>;
}

/** The pool that runs code, whichever it is. */
type Pool = Pick<Sandboxes, 'of' | 'close'>;

/** A pool of sealed processes before any is started. */
type UnopenedPool = Pool & Pick<SealedPool, 'open'>;

/**
 * Opens sandboxes. The first process is started at once, to find out whether it can be sealed.
 * @param createSealed the pool of sealed processes
 */
export const openSandboxes = (
  options: SandboxesOptions,
  createSealed: (options: SandboxesOptions) => UnopenedPool = (given) => new SealedPool(given),
): Sandboxes => {
  const opening: Promise<Pool> = openPool(
    options,
    () => createSealed(options),
    () => new CodePool(options),
  );
  opening.catch(() => undefined);
  return {
    of: (owner) => ({
      run: async (job) => {
        try {
          return await (await opening).of(owner).run(job);
        } catch {
          return { kind: 'stopped', reason: 'start', console: [] };
        }
      },
    }),
    ready: async () => void (await opening),
    close: async () => {
      const pool = await opening.catch(() => undefined);
      await pool?.close();
    },
  };
};
