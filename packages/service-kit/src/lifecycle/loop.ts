import { withoutContext } from '../context';
import { createFaultLog, type Logger } from '../logging';
import { noteTurn } from '../metrics';

/** A periodic background job. */
export interface Loop {
  /** Runs the next tick now. */
  readonly wake: () => void;
  /** False if no tick has ended for a long time: the process is unhealthy. */
  readonly isAlive: () => boolean;
  /** Resolves after the running tick. */
  readonly stop: () => Promise<void>;
}

/** Options of a loop. */
export interface LoopOptions {
  readonly name: string;
  /** Milliseconds between the end of a tick and the next. */
  readonly everyMs: number;
  /**
   * Milliseconds until the next tick if they differ from `everyMs`, evaluated after each tick; `wake` ends a long
   * pause.
   */
  readonly pauseMs?: () => number;
  /** Resolves to true if the next tick should follow immediately, because there is more to do. */
  readonly tick: () => Promise<boolean | void>;
  readonly logger: Logger;
}

/** Milliseconds without a tick after which a loop is considered stuck. */
const STUCK_MS = 60_000;

/**
 * Starts a loop. A failed tick is logged (repeated failures once a minute), and the next tick follows after the
 * interval.
 */
export const startLoop = ({ name, everyMs, pauseMs = () => everyMs, tick, logger }: LoopOptions): Loop => {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isWoken = false;
  /** Time by which the next tick must have ended. */
  let dueBy = performance.now() + Math.max(STUCK_MS, 3 * everyMs);
  const faults = createFaultLog(logger, 'background loop failed; it is retried after its interval');

  const runTick = async (): Promise<void> => {
    let hasMore = false;
    try {
      hasMore = (await tick()) === true;
      faults.worked();
    } catch (err) {
      faults.failed({ err, loop: name });
    }
    const pause = pauseMs();
    dueBy = performance.now() + pause + Math.max(STUCK_MS, 3 * everyMs);
    noteTurn(name, pause);
    running = undefined;
    if (!isStopped) schedule(hasMore || isWoken ? 0 : pause);
    isWoken = false;
  };
  const start = (): void => {
    running ??= runTick();
  };
  const schedule = (delayMs: number): void => {
    clearTimeout(timer);
    // A request that wakes the loop limits no tick by its deadline.
    timer = withoutContext(() => setTimeout(start, delayMs));
  };

  // A first tick that never ends is overdue as well.
  noteTurn(name, everyMs);
  schedule(0);
  return {
    wake: () => {
      if (running !== undefined) isWoken = true;
      else if (!isStopped) schedule(0);
    },
    isAlive: () => performance.now() < dueBy,
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
};
