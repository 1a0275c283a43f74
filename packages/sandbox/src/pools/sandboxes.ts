import type { CodeRunner } from '../code/code-runner';
import type { PoolOptions } from './pool';
import { SealedPool } from './sealed-pool';

export interface SandboxesOptions extends PoolOptions {
  /** Called if the first process cannot be started and sealed. */
  readonly onUnavailable?: (reason: Error) => void;
}

/** Processes that run the code of Code nodes. */
export interface Sandboxes {
  /** The runner for the code of one owner. */
  of(owner: string): CodeRunner;
  /** Resolves when code can run, or is refused because it cannot. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

/** Opens sandboxes. Starts the first process immediately, to find out whether it can be sealed. */
export const openSandboxes = (options: SandboxesOptions): Sandboxes => {
  const pool = new SealedPool(options);
  const opening = pool.open().catch((reason: Error) => options.onUnavailable?.(reason));
  return { of: (owner) => pool.of(owner), ready: () => opening, close: () => pool.close() };
};
