import { startLoop, type Loop } from '@weft/service-kit/lifecycle';
import type { Logger } from '@weft/service-kit/logging';
import { createCounter, createGauge } from '@weft/service-kit/metrics';
import type { RefreshOutcome } from '../domain/oauth2/refresh-once';

const refreshes = createCounter({
  name: 'weft_token_refreshes_total',
  help: 'Refreshes of OAuth 2 tokens.',
  labels: { outcome: ['refreshed', 'needs_login', 'refused', 'unanswered'] },
});

const lost = createGauge({
  name: 'weft_credentials_needing_login',
  help: 'Credentials whose sign-in the service has ended.',
  labels: {},
});

/** Counts a refresh. */
export const countRefresh = (outcome: RefreshOutcome): void => refreshes.inc({ outcome });

/** Counting interval, in milliseconds. */
const EVERY_MS = 60_000;

/** Starts counting credentials that wait for a user. @param countLost counts them in the store */
export const startCountingLost = (countLost: () => Promise<number>, logger: Logger): Loop => {
  let count: number | undefined;
  const loop = startLoop({
    name: 'count-lost-logins',
    everyMs: EVERY_MS,
    logger,
    tick: async () => {
      count = await countLost();
    },
  });
  const hide = lost.read(() => (count === undefined ? [] : [[{}, count]]));
  return {
    ...loop,
    stop: async () => {
      hide();
      await loop.stop();
    },
  };
};
