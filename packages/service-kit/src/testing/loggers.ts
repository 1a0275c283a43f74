import { createLogger, type Logger } from '../logging';

/** A logger that writes only errors, to standard error: the cause of an internal error appears there. */
export const testLogger = (): Logger => createLogger('test', 'error', process.stderr);

/** A logger that stores its lines, and those lines. */
export interface KeptLog {
  readonly lines: Readonly<Record<string, unknown>>[];
  readonly logger: Logger;
}

/** Creates a logger that stores its lines from this level on. */
export const keptLog = (level = 'info'): KeptLog => {
  const lines: Readonly<Record<string, unknown>>[] = [];
  return { lines, logger: createLogger('test', level, { write: (line) => void lines.push(JSON.parse(line)) }) };
};
