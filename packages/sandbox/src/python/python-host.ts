import type { HostCalls } from '../child/host-calls/host-calls';
import { MAX_RANDOM_BYTES, randomNumbers } from '../child/host-calls/operations';
import { sleep } from '../child/run-in-realm';
import { SANDBOX_LIMITS } from '../pools/limits';

// Captured before the global names of this realm are removed.
const { DateTimeFormat } = Intl;

const OFFSET = /^GMT(?:([+-])(\d{2}):(\d{2}))?/;

/** Minutes by which a time zone is ahead of UTC now; 0 for an unknown one. */
function offsetOf(zone: string, now: number): number {
  try {
    const format = new DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
    const name = format.formatToParts(now).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign, hours = '0', minutes = '0'] = OFFSET.exec(name) ?? [];
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  } catch {
    return 0;
  }
}

/**
 * Answers what Python asks of the process around it. Code that reaches the realm of Python can pass any value, of which
 * only strings are inspected: even an error message about another one would call its methods.
 * @param calls the console of the current run
 */
export function answerPython(operation: unknown, text: unknown, calls: HostCalls): string {
  if (typeof text !== 'string' || text.length > SANDBOX_LIMITS.hostCallBytes) return '';
  switch (operation) {
    case 'log':
      calls.answer('log', text);
      return '';
    case 'random':
      return randomNumbers(Math.min(MAX_RANDOM_BYTES, Number(text)));
    case 'wait':
      sleep(Number(text));
      return '';
    case 'offset':
      return String(offsetOf(text, Date.now()));
    default:
      return '';
  }
}
