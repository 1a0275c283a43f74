import { createLogger, type Logger } from '@weft/service-kit/logging';

/** A logger that keeps its lines, and those lines. */
export interface KeptLog {
  readonly lines: readonly Readonly<Record<string, unknown>>[];
  readonly logger: Logger;
}

/** Creates a logger that keeps its lines from that level on. */
export const keptLog = (level = 'info'): KeptLog => {
  const lines: Readonly<Record<string, unknown>>[] = [];
  return { lines, logger: createLogger('gateway', level, { write: (line) => void lines.push(JSON.parse(line)) }) };
};
