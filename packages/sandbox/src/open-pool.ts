/**
 * Whether foreign code and data are handled in processes that seal themselves: `required`: only so; `auto`: where this
 * system can seal a process; `off`: never.
 */
export type SealChoice = 'required' | 'auto' | 'off';

/** The part of settings that says what a pool's processes must be. */
interface SealSettings {
  readonly seal: SealChoice;
  /** Told when no process can be sealed here, with the reason. */
  readonly onUnsealed?: (reason: Error) => void;
}

/** A pool before its first process is started. */
interface UnopenedPool {
  /** @throws Error if no process can be sealed here */
  open(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the pool of sealed processes, or the one that takes its place where no process can be sealed or none shall be.
 * @throws Error if it must be sealed and cannot be
 */
export const openPool = async <Sealed extends UnopenedPool, Unsealed>(
  { seal, onUnsealed }: SealSettings,
  createSealed: () => Sealed,
  createUnsealed: () => Unsealed,
): Promise<Sealed | Unsealed> => {
  if (seal === 'off') return createUnsealed();
  const pool = createSealed();
  try {
    await pool.open();
    return pool;
  } catch (error) {
    await pool.close();
    const reason = error instanceof Error ? error : new Error(String(error));
    if (seal === 'required') throw reason;
    onUnsealed?.(reason);
    return createUnsealed();
  }
};
