import type { WorkerProcess } from '@weft/service-kit/lifecycle';
import type { Logger } from '@weft/service-kit/logging';
import type { Executor } from '../executor';
import { readToChild, type Alive } from './messages';

/** Runs that a child process executes for its runner. */
export interface ChildWork<Run> {
  readonly executor: Pick<Executor, 'recheck' | 'follow' | 'stopTaking' | 'drain' | 'close'>;
  /** Parses a message that hands over an execution; undefined if it is another one. */
  readonly read: (value: unknown) => Run | undefined;
  readonly executionIdOf: (run: Run) => string;
  readonly run: (run: Run) => Promise<void>;
  readonly send: (message: Alive) => void;
  readonly logger: Logger;
}

/** The child's side of a process that executes runs for its runner. On shutdown it releases its runs. */
export const createChildExecutor = <Run>({
  executor,
  read,
  executionIdOf,
  run,
  send,
  logger,
}: ChildWork<Run>): WorkerProcess => ({
  onMessage: (value) => {
    const message = readToChild(value);
    if (message?.kind === 'ping') return send({ kind: 'alive' });
    if (message?.kind === 'recheck') return executor.recheck(message.executionIds);
    if (message?.kind === 'follow') return executor.follow(message.executionIds);
    const wanted = read(value);
    if (wanted === undefined) return;
    run(wanted).catch((error: unknown) =>
      logger.warn({ err: error, executionId: executionIdOf(wanted) }, 'a run could not be accepted'),
    );
  },
  stop: async () => {
    executor.stopTaking();
    await executor.drain(0);
    await executor.close();
  },
});
