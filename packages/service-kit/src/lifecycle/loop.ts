import type { Logger } from '../logging';

/** A background job that runs again and again. */
export interface Loop {
  /** Runs it now rather than at its next turn. */
  readonly wake: () => void;
  /** False when it has not turned for a long time: the process is no longer healthy. */
  readonly isTurning: () => boolean;
  /** Ends after the turn under way. */
  readonly stop: () => Promise<void>;
}

/** How a loop turns. */
export interface LoopOptions {
  readonly name: string;
  /** Milliseconds between the end of a turn and the next. */
  readonly everyMs: number;
  /** One turn. Returning true asks for the next one at once: there is more to do. */
  readonly turn: () => Promise<boolean | void>;
  readonly logger: Logger;
}

/** Milliseconds without a turn after which a loop counts as stuck. */
const STUCK_MS = 60_000;

/** Starts a loop. A turn that fails is logged, and the next one comes at its time. */
export const startLoop = ({ name, everyMs, turn, logger }: LoopOptions): Loop => {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let wokenMeanwhile = false;
  let lastTurn = Date.now();

  const runTurn = async (): Promise<void> => {
    let more = false;
    try {
      more = (await turn()) === true;
    } catch (error) {
      logger.warn({ err: error, loop: name }, 'a turn of a background loop failed');
    }
    lastTurn = Date.now();
    running = undefined;
    if (!isStopped) schedule(more || wokenMeanwhile ? 0 : everyMs);
    wokenMeanwhile = false;
  };
  const start = (): void => {
    running ??= runTurn();
  };
  const schedule = (delayMs: number): void => {
    clearTimeout(timer);
    timer = setTimeout(start, delayMs);
  };

  schedule(0);
  return {
    wake: () => {
      if (running !== undefined) wokenMeanwhile = true;
      else if (!isStopped) schedule(0);
    },
    isTurning: () => Date.now() - lastTurn < Math.max(STUCK_MS, 3 * everyMs),
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
};
