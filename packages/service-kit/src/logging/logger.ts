import pino, { type DestinationStream, type Logger } from 'pino';
import { currentContext } from '../context';
import { traceIdOf } from '../tracing/span';

export type { Logger } from 'pino';

/** Paths whose values never reach a log, wherever an object with them is logged. */
const REDACTED = [
  'password',
  'apiKey',
  'authorization',
  'cookie',
  'data',
  'value',
  'token',
  'masterKey',
  'serviceKey',
  'headers',
];

/**
 * JSON lines on standard output: one per event, with service name and, inside a request, its id and that of its trace.
 * @param destination for tests; standard output by default.
 */
export const createLogger = (service: string, level: string, destination?: DestinationStream): Logger => {
  const options = {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: REDACTED.flatMap((key) => [key, `*.${key}`]), censor: '[redacted]' },
    mixin: () => {
      const context = currentContext();
      if (context === undefined) return {};
      const { requestId, span } = context;
      return span?.isRecorded === true ? { requestId, traceId: traceIdOf(span) } : { requestId };
    },
  };
  return destination === undefined
    ? pino(options, pino.destination({ dest: 1, sync: false, minLength: 0 }))
    : pino(options, destination);
};
