import type { Report } from '../errors';
import { followLog } from '../processes/follow-log';
import type { Stack } from '../stack/stack';

/** Number of the level "error" in the services' JSON log lines; more severe levels are higher. */
const ERROR_LEVEL = 50;

/**
 * Shows the new log lines of the services, each behind the name of its process: everything if `isVerbose`,
 * else only errors and lines that are not log records, such as a stack trace. Returns a function that ends it.
 */
export function showLogs(stack: Stack, isVerbose: boolean, report: Report): () => void {
  const ends = stack.processes.map(({ service, logFile }) =>
    followLog(logFile, (line) => {
      if (isVerbose || isWorthShowing(line)) report(`[${service}] ${line}`);
    }),
  );
  return () => ends.forEach((end) => end());
}

/** True if a log line is an error or not a log record at all. */
export function isWorthShowing(line: string): boolean {
  try {
    const record: unknown = JSON.parse(line);
    if (typeof record !== 'object' || record === null || !('level' in record)) return true;
    return typeof record.level === 'number' && record.level >= ERROR_LEVEL;
  } catch {
    return true;
  }
}
