import { createLogger, type Logger } from '../logging';
import { secureProcess, type TlsSettings } from '../mutual-tls';
import { startTracing, stopTracing, type TracingSettings } from '../tracing';

/** A child process of a service. */
export interface WorkerProcess {
  /** Receives every message of the parent process. Must check its shape. */
  readonly onMessage: (message: unknown) => void;
  /** Releases work in progress and closes the connections. */
  readonly stop: () => Promise<void>;
}

/** Milliseconds after which a hanging stop is ended by exiting. */
const STOP_LIMIT_MS = 15_000;

/**
 * Runs a process that a service started with `fork`. It stops when the IPC channel closes, for whatever reason, and
 * ignores signals, which the parent handles. An uncaught error ends it with exit code 1.
 */
export const runWorker = <Settings extends TracingSettings & TlsSettings>(
  name: string,
  config: { readonly load: () => Settings },
  create: (settings: Settings, logger: Logger, send: (message: object) => void) => WorkerProcess,
): void => {
  const logger = createLogger(name, process.env['LOG_LEVEL'] ?? 'info');
  const die = (error: unknown): void => {
    logger.fatal({ err: error }, 'uncaught error');
    setImmediate(() => process.exit(1));
  };
  process.on('uncaughtException', die);
  process.on('unhandledRejection', die);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => undefined);
  const settings = config.load();
  startTracing(name, settings, logger).catch(die);
  secureProcess(settings, logger);
  const worker = create(settings, logger, (message) => {
    if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
  });
  process.on('message', worker.onMessage);
  process.once('disconnect', () => {
    setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
    worker
      .stop()
      .then(stopTracing)
      .then(() => process.exit(0), die);
  });
};
