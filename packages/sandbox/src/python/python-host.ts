import { randomBytes } from 'node:crypto';
import type { HostCalls } from '../child/host-calls/host-calls';
import { SANDBOX_LIMITS } from '../pools/limits';

// Captured before the global names of this realm are removed.
const { wait } = Atomics;
const sleeper = new Int32Array(new SharedArrayBuffer(4));
const { DateTimeFormat } = Intl;

/** Maximum random bytes of one call. */
const MAX_RANDOM_BYTES = 65_536;
const OFFSET = /^GMT(?:([+-])(\d{2}):(\d{2}))?/;

/** Minutes by which a time zone is ahead of UTC now; 0 for an unknown one. */
export function offsetOf(zone: string, now: number): number {
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
 * Answers what Python asks of the process around it.
 * @param calls the console of the current run
 */
export function answerPython(operation: string, text: string, calls: HostCalls): string {
  if (text.length > SANDBOX_LIMITS.hostCallBytes) return '';
  switch (operation) {
    case 'log':
      calls.answer('log', text);
      return '';
    case 'random':
      return randomBytes(Math.min(MAX_RANDOM_BYTES, Number(text))).toString('base64');
    case 'wait':
      wait(sleeper, 0, 0, Number(text));
      return '';
    case 'offset':
      return String(offsetOf(text, Date.now()));
    default:
      return '';
  }
}
