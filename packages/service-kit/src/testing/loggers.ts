import { createLogger, type Logger } from '../logging';

/** A logger that writes errors alone, to standard error: what a service answers as internal says its cause there. */
export const testLogger = (): Logger => createLogger('test', 'error', process.stderr);

/** A logger that keeps its lines, and those lines. */
export interface KeptLog {
  readonly lines: Readonly<Record<string, unknown>>[];
  readonly logger: Logger;
}

/** Creates a logger that keeps its lines from that level on. */
export const keptLog = (level = 'info'): KeptLog => {
  const lines: Readonly<Record<string, unknown>>[] = [];
  return { lines, logger: createLogger('test', level, { write: (line) => void lines.push(JSON.parse(line)) }) };
};
