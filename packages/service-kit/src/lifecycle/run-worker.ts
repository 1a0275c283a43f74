import { createLogger, type Logger } from '../logging';

/** What a process does that another one of ours has started. */
export interface WorkerProcess {
  /** Told about every message of the process that started it. Whoever reads it checks its shape. */
  readonly onMessage: (message: unknown) => void;
  /** Releases what is under way and closes its connections. */
  readonly stop: () => Promise<void>;
}

/** A stop that takes longer is ended. */
const STOP_LIMIT_MS = 15_000;

/**
 * Runs a process that another one of ours has started by `fork`: it lives as long as that one wants it, and stops when
 * the channel between them closes, for whatever reason. Signals are for the one that started it. A fault that nobody
 * caught ends it with 1.
 */
export const runWorker = (
  name: string,
  create: (logger: Logger, tell: (message: object) => void) => WorkerProcess,
): void => {
  const logger = createLogger(name, process.env['LOG_LEVEL'] ?? 'info');
  const die = (error: unknown): void => {
    logger.fatal({ err: error }, 'fault that nobody caught');
    setImmediate(() => process.exit(1));
  };
  process.on('uncaughtException', die);
  process.on('unhandledRejection', die);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => undefined);
  const worker = create(logger, (message) => {
    if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
  });
  process.on('message', worker.onMessage);
  process.once('disconnect', () => {
    setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
    worker.stop().then(() => process.exit(0), die);
  });
};
