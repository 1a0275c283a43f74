/** Milliseconds between renewals of all claims after a connection has broken, and their number. */
const EVERY_MS = 1_000;
const TIMES = 6;

/** Renews all claims repeatedly when a connection to executions has broken. */
export interface LifeProofs {
  readonly begin: () => void;
  readonly stop: () => void;
}

/**
 * A replica of executions that lost all connections of a process ends its leases unless they are renewed soon. Several
 * renewals show that they change, whenever that replica begins to watch them.
 */
export const createLifeProofs = (renewAll: () => void): LifeProofs => {
  let left = 0;
  let timer: NodeJS.Timeout | undefined;
  const tick = (): void => {
    renewAll();
    left -= 1;
    timer = left > 0 ? setTimeout(tick, EVERY_MS).unref() : undefined;
  };
  return {
    begin: () => {
      left = TIMES;
      timer ??= setTimeout(tick, 0).unref();
    },
    stop: () => clearTimeout(timer),
  };
};
