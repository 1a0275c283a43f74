import pino, { type DestinationStream, type Logger } from 'pino';
import { currentContext } from '../context';
import { traceIdOf } from '../tracing/span';
import { redactFields } from './redact';

export type { Logger } from 'pino';

/**
 * JSON lines on standard output: one per event, with service name and, inside a request, its id and that of its trace.
 * @param destination for tests; standard output by default.
 */
export const createLogger = (service: string, level: string, destination?: DestinationStream): Logger => {
  const options = {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { log: redactFields },
    // Errors are objects by then.
    serializers: { err: (error: unknown) => error },
    mixin: () => {
      const context = currentContext();
      if (context === undefined) return {};
      const { requestId, span } = context;
      return span?.isRecorded === true ? { requestId, traceId: traceIdOf(span) } : { requestId };
    },
  };
  // Not in the thread itself: a reader that hangs would stop the service.
  return pino(options, destination ?? pino.destination({ dest: 1, sync: false }));
};

/** SIGUSR2 makes a logger log everything from `debug` on, the next one what it did before: without a restart. */
export const changeLevelOnSignal = (logger: Logger): void => {
  const usual = logger.level;
  process.on('SIGUSR2', () => {
    logger.level = logger.level === usual ? 'debug' : usual;
    logger.warn({ logLevel: logger.level }, 'the log level was changed by a signal');
  });
};
