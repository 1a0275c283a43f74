import { withValues } from '@weft/service-kit/config';
import type { WorkerProcess } from '@weft/service-kit/lifecycle';
import type { Logger } from '@weft/service-kit/logging';
import { createChildExecutor } from '../child/child-executor';
import type { Alive, Progressed, Streamed } from '../child/messages';
import type { Config } from '../config';
import type { Held } from '../domain/claims/held/held-executions';
import { createExecutor } from '../executor';
import { idOfThisChild } from '../runner-id';
import { poolsOfRunner } from '../pools/pools-of-runner';
import type { OpenHold } from '../watchdog/thread-word';
import { readToOverShare, type FromOverShare, type ToOverShare } from './messages';

/** Maximum concurrent runs of this process. */
const MAX_RUNNING = 16;

/** Executes runs that its runner has claimed, and renews their claims. */
export const createOverShareExecutor = (
  config: Config,
  logger: Logger,
  send: (message: FromOverShare | Alive | Progressed | Streamed) => void,
  openHold: OpenHold,
): WorkerProcess => {
  const settings = withValues(config, { slots: Math.min(config.slots, MAX_RUNNING) });
  const executor = createExecutor(settings, logger, poolsOfRunner(), {
    runnerId: idOfThisChild(),
    runIsolated: () => Promise.resolve(false),
    openHold,
    expectsLarge: true,
    tellProgressed: (executionIds) => send({ kind: 'progressed', executionIds }),
    tellStreamed: (executionId, batch) => send({ kind: 'streamed', executionId, batch }),
    // Runs here delay no others; the runner learns that the owner still uses large data.
    overShareOwners: { mark: (ownerKey) => send({ kind: 'large', ownerKey }), has: () => false },
  });
  const run = async ({ handedOver }: ToOverShare): Promise<void> => {
    const { executionId, fence } = handedOver.claimed;
    let isTaken = false;
    /** Renews the claim: from here on this process holds it, unless the runner has given it up meanwhile. */
    const onHeld = async (held: Held): Promise<void> => {
      await held.confirm(false);
      isTaken = true;
      send({ kind: 'taken', executionId, fence });
    };
    try {
      const isRun = executor.hasRoom() && (await executor.queued.takeOver(handedOver, onHeld));
      if (!isRun) send({ kind: 'refused', executionId, fence });
    } finally {
      if (isTaken) send({ kind: 'ended' });
    }
  };
  return createChildExecutor({
    executor,
    read: readToOverShare,
    executionIdOf: ({ handedOver }) => handedOver.claimed.executionId,
    run,
    send,
    logger,
  });
};
