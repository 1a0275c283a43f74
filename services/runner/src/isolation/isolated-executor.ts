import type { WorkerProcess } from '@weft/service-kit/lifecycle';
import type { Logger } from '@weft/service-kit/logging';
import { createChildExecutor } from '../child/child-executor';
import type { Alive, Progressed, Streamed } from '../child/messages';
import type { Config } from '../config';
import type { ClaimedExecution } from '../domain/claims/claimed-execution';
import type { Held } from '../domain/claims/held/held-executions';
import { createExecutor } from '../executor';
import { idOfThisChild } from '../runner-id';
import { poolsOfRunner } from '../pools/pools-of-runner';
import type { OpenHold } from '../watchdog/thread-word';
import { readToIsolated, type FromIsolated, type ToIsolated } from './messages';

const FIRST_MS = 300;
const MAX_MS = 600_000;

/**
 * Milliseconds of isolation for an execution with this crash count. Longer each time, so that a run that kills its
 * process slowly is finally isolated when it does.
 */
export const isolatedMs = (crashes: number): number => Math.min(MAX_MS, FIRST_MS * 3 ** Math.max(0, crashes - 1));

/** Maximum concurrent runs of this process, each of which was isolated at first. */
const MAX_RUNNING = 16;

/** Executes runs that crashed a runner: each begins in isolation, and shares the process after a while. */
export const createIsolatedExecutor = (
  config: Config,
  logger: Logger,
  send: (message: FromIsolated | Alive | Progressed | Streamed) => void,
  openHold: OpenHold,
): WorkerProcess => {
  const executor = createExecutor(config, logger, poolsOfRunner(), {
    runnerId: idOfThisChild(),
    runIsolated: () => Promise.resolve(false),
    openHold,
    tellProgressed: (executionIds) => send({ kind: 'progressed', executionIds }),
    tellStreamed: (executionId, batch) => send({ kind: 'streamed', executionId, batch }),
  });
  let running = 0;
  const count = (added: number): void => {
    running += added;
    send({ kind: 'running', count: running });
  };

  const run = async ({ executionId }: ToIsolated): Promise<void> => {
    let isFreed = false;
    const free = (): void => {
      if (isFreed) return;
      isFreed = true;
      send({ kind: 'free' });
    };
    let timer: NodeJS.Timeout | undefined;
    let isHeld = false;
    const onHeld = async (held: Held, { crashes }: ClaimedExecution): Promise<void> => {
      isHeld = true;
      count(1);
      send({ kind: 'taken', executionId, isAnswered: true });
      // The service learns that the run is active before its first node: from then on a crash counts.
      await held.confirm(running > 1);
      timer = setTimeout(() => {
        if (running < MAX_RUNNING) void held.confirm(true).then(free);
      }, isolatedMs(crashes));
    };
    try {
      const isAnswered = await executor.queued.takeIsolated(executionId, onHeld);
      if (!isHeld) send({ kind: 'taken', executionId, isAnswered });
    } finally {
      clearTimeout(timer);
      if (isHeld) count(-1);
      free();
    }
  };
  send({ kind: 'free' });
  return createChildExecutor({
    executor,
    read: readToIsolated,
    executionIdOf: ({ executionId }) => executionId,
    run,
    send,
    logger,
  });
};
