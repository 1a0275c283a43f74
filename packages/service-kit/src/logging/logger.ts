import pino, { type DestinationStream, type Logger } from 'pino';
import { currentContext } from '../context';
import { traceIdOf } from '../tracing/span';
import { inBlocks } from './in-blocks';
import { redactFields } from './redact';

export type { Logger } from 'pino';

/**
 * Logs JSON lines to standard output: one per event, with the service name and, inside a request, its id and trace id.
 * @param destination for tests; default: standard output
 */
export const createLogger = (service: string, level: string, destination?: DestinationStream): Logger => {
  const options = {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { log: redactFields },
    // Errors have been converted to objects by then.
    serializers: { err: (error: unknown) => error },
    mixin: () => {
      const context = currentContext();
      if (context === undefined) return {};
      const { requestId, span } = context;
      return span?.isRecorded === true ? { requestId, traceId: traceIdOf(span) } : { requestId };
    },
  };
  // Not from the main thread: a stalled reader would block the service.
  return pino(options, destination ?? inBlocks(pino.destination({ dest: 1, sync: false })));
};

/** SIGUSR2 switches a logger to level `debug`, and the next SIGUSR2 switches it back, without a restart. */
export const changeLevelOnSignal = (logger: Logger): void => {
  const usual = logger.level;
  process.on('SIGUSR2', () => {
    logger.level = logger.level === usual ? 'debug' : usual;
    logger.warn({ logLevel: logger.level }, 'the log level was changed by a signal');
  });
};
