import type { Environment, Rereading } from '../config';
import { messageOf } from '../errors';
import { unmetConditions } from './conditions';
import { changeLevelOnSignal, createLogger, type Logger } from '../logging';
import { type ProbedState, serveMetrics, startProcessMetrics } from '../metrics';
import { requireNode } from './require-node';
import { stopLimitMs } from './stop-limit';
import { secureProcess, type TlsSettings } from '../mutual-tls';
import { startTracing, stopTracing, type TracingSettings } from '../tracing';

/** A running service. */
export interface RunningService {
  /** Port it listens on. */
  readonly port: number;
  /** State for HTTP probes. */
  readonly health: ProbedState;
  /** Refuses new work, finishes or releases work in progress, closes the connections. */
  readonly stop: () => Promise<void>;
}

/** Configuration that the process itself uses. */
export interface ProcessSettings extends TracingSettings, TlsSettings {
  /** Time for work in progress after SIGTERM, in milliseconds. */
  readonly drainMs: number;
  readonly host: string;
  readonly metricsPort: number;
}

const LEVEL_ENV = 'LOG_LEVEL';

/**
 * Handles signals from now on: the first process of a container ignores signals without a handler.
 * @returns a function that sets the service to stop. Before that nothing was accepted, and the process simply ends.
 */
const stopOnSignal = (logger: Logger, limitMs: number): ((started: RunningService) => void) => {
  let isStopping = false;
  let service: RunningService | undefined;
  const stop = (signal: NodeJS.Signals): void => {
    if (isStopping) return;
    isStopping = true;
    logger.info({ signal }, 'stopping');
    if (service === undefined) process.exit(0);
    const limit = setTimeout(() => process.exit(1), limitMs);
    service
      .stop()
      .then(stopTracing)
      .then(
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
  return (started) => {
    service = started;
  };
};

const rereadingOf = (logger: Logger): Rereading => ({
  onChanged: (variables) => logger.info({ variables }, 'settings in files have changed and are in use'),
  onFailed: ({ errors }) => logger.error({ errors }, 'settings in files have changed and cannot be used'),
});

/**
 * Runs a service as a process: reads its configuration, serves its metrics, starts it, logs its ports, and stops it on
 * SIGTERM or SIGINT. A failed start prints one sentence and exits with 1. An uncaught error is logged and ends the
 * process: its state is unknown, and every other process can continue without it.
 */
export const runService = async <Settings extends ProcessSettings>(
  name: string,
  config: { readonly load: (environment?: Environment, rereading?: Rereading) => Settings },
  create: (settings: Settings, logger: Logger) => Promise<RunningService>,
): Promise<void> => {
  const logger = createLogger(name, process.env[LEVEL_ENV] ?? 'info');
  changeLevelOnSignal(logger);
  const die = (error: unknown): void => {
    logger.fatal({ err: error }, 'uncaught error');
    setImmediate(() => process.exit(1));
  };
  process.on('uncaughtException', die);
  process.on('unhandledRejection', die);
  try {
    requireNode(process.versions.node);
    const settings = config.load(process.env, rereadingOf(logger));
    const stopsService = stopOnSignal(logger, stopLimitMs(settings.drainMs));
    startProcessMetrics(name, settings.buildCommit);
    // Before the service, so that a slow start can be diagnosed from outside.
    const started: { service?: RunningService } = {};
    const metricsPort = await serveMetrics(settings.host, settings.metricsPort, {
      isLive: () => started.service?.health.isLive() ?? true,
      isReady: async () => started.service?.health.isReady() ?? false,
      reasons: unmetConditions,
    });
    await startTracing(name, settings, logger);
    // Before the process listens or calls anything.
    secureProcess(settings, logger);
    const service = await create(settings, logger);
    started.service = service;
    stopsService(service);
    logger.info({ port: service.port, metricsPort }, 'ready');
  } catch (error) {
    process.stderr.write(`${name}: ${messageOf(error)}\n`);
    logger.debug({ err: error }, 'start failed');
    process.exitCode = 1;
    setTimeout(() => process.exit(1), 100);
  }
};
