import { messageOf } from '@weft/service-kit/errors';
import type { Logger } from '@weft/service-kit/logging';
import type { ProcessExit } from '../domain/claims/process-exit';

/** Milliseconds between two attempts, and their number: later the leases have run out. */
const EVERY_MS = 1_000;
const TIMES = 20;

/** Reports to executions that processes of this runner have exited. */
export interface ExitReports {
  /** Repeated until it is answered. */
  readonly report: (exit: ProcessExit) => void;
  readonly stop: () => void;
}

export const createExitReports = (
  send: (exit: ProcessExit) => Promise<void>,
  logger: Pick<Logger, 'warn'>,
): ExitReports => {
  const timers = new Set<NodeJS.Timeout>();
  let isStopping = false;
  const attempt = async (exit: ProcessExit, left: number): Promise<void> => {
    try {
      await send(exit);
    } catch (error) {
      if (isStopping) return;
      if (left === 0)
        return logger.warn({ ...exit, why: messageOf(error) }, 'the exit of a process could not be reported');
      const timer = setTimeout(() => {
        timers.delete(timer);
        void attempt(exit, left - 1);
      }, EVERY_MS).unref();
      timers.add(timer);
    }
  };
  return {
    report: (exit) => void attempt(exit, TIMES - 1),
    stop: () => {
      isStopping = true;
      for (const timer of timers) clearTimeout(timer);
    },
  };
};
