import { StartWait } from '@weft/proto/executions';
import { InvalidRequest } from '@weft/service-kit/errors';
import { remainingMs } from '@weft/service-kit/context';
import type { WaitOptions } from '../../domain/wait/await-response';
import type { WaitGoal } from '../../domain/wait/waiters';

const GOALS: Readonly<Record<StartWait, WaitGoal | undefined>> = {
  [StartWait.START_WAIT_UNSPECIFIED]: undefined,
  [StartWait.START_WAIT_RESPONSE]: 'response',
  [StartWait.START_WAIT_END]: 'end',
};

const DEFAULT_MS = 25_000;
const MAX_MS = 3_600_000;

/** Longest time for which a read is delayed. */
const MAX_DELAY_MS = 25_000;

/** Milliseconds reserved from the caller's deadline, so that "not yet" still reaches it. */
const MARGIN_MS = 300;

/**
 * Options of the wait of a call; undefined: it does not wait. The limit stays below the caller's deadline.
 * @throws InvalidRequest for an unknown kind of wait
 */
export const waitOptionsOf = (wait: StartWait, waitMs: number, signal: () => AbortSignal): WaitOptions | undefined => {
  if (!Object.hasOwn(GOALS, wait))
    throw new InvalidRequest('The request has an unknown value.', [
      { field: 'wait', message: 'is not a value of this enum.' },
    ]);
  const goal = GOALS[wait];
  if (goal === undefined) return undefined;
  const wanted = Math.min(waitMs === 0 ? DEFAULT_MS : waitMs, MAX_MS);
  return { goal, limitMs: Math.max(0, Math.min(wanted, remainingMs(MAX_MS) - MARGIN_MS)), signal: signal() };
};

/**
 * Milliseconds for which a read is delayed. They stay below the caller's deadline.
 * @throws InvalidRequest if they are too many
 */
export const delayMsOf = (waitMs: number): number => {
  if (waitMs > MAX_DELAY_MS)
    throw new InvalidRequest('The wait is too long.', [
      { field: 'waitMs', message: `must be at most ${MAX_DELAY_MS}` },
    ]);
  return Math.min(waitMs, Math.max(0, remainingMs(MAX_DELAY_MS + MARGIN_MS) - MARGIN_MS));
};
