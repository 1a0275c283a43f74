import { ConfigErrors } from '../config';
import { createLogger, type Logger } from '../logging';

/** A running service. */
export interface RunningService {
  /** Port it listens on. */
  readonly port: number;
  /** Refuses new work, finishes or releases work in progress, closes the connections. */
  readonly stop: () => Promise<void>;
}

const LEVEL_ENV = 'LOG_LEVEL';

const explain = (error: unknown): string =>
  error instanceof ConfigErrors || error instanceof Error ? error.message : String(error);

/** Milliseconds after which a hanging stop exits; the limit of an orchestrator is longer. */
const STOP_LIMIT_MS = 40_000;

const stopOnSignal = (service: RunningService, logger: Logger): void => {
  let isStopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (isStopping) return;
    isStopping = true;
    logger.info({ signal }, 'stopping');
    const limit = setTimeout(() => process.exit(1), STOP_LIMIT_MS);
    service.stop().then(
      () => {
        clearTimeout(limit);
        logger.info('stopped');
        process.exit(0);
      },
      (error: unknown) => {
        logger.error({ err: error }, 'stopping failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
};

/**
 * Runs a service as a process: starts it, logs its port, stops it on SIGTERM or SIGINT.
 * A failed start prints one sentence and exits with 1. An uncaught error is logged and ends the process: its state is
 * unknown, and every other process is built to go on without it.
 */
export const runService = async (name: string, create: (logger: Logger) => Promise<RunningService>): Promise<void> => {
  const logger = createLogger(name, process.env[LEVEL_ENV] ?? 'info');
  const die = (error: unknown): void => {
    logger.fatal({ err: error }, 'uncaught error');
    setImmediate(() => process.exit(1));
  };
  process.on('uncaughtException', die);
  process.on('unhandledRejection', die);
  try {
    const service = await create(logger);
    stopOnSignal(service, logger);
    logger.info({ port: service.port }, 'ready');
  } catch (error) {
    process.stderr.write(`${name}: ${explain(error)}\n`);
    logger.debug({ err: error }, 'start failed');
    process.exitCode = 1;
    setTimeout(() => process.exit(1), 100);
  }
};
