import { startRun, type Wanted } from '@weft/chaos/start-run';
import { tellReply } from '@weft/chaos/check-runs';
import { setTimeout as sleep } from 'node:timers/promises';
import { RESUMED } from './kinds';
import type { Scene } from './scene';

/** Runs that wait for a call, each at an address that it has given. */
export interface WaitingRuns {
  /** All runs that were started here. */
  readonly wanted: readonly Wanted[];
  /** Those that have not been called. */
  readonly waiting: number;
  /** Starts runs and returns when each has given its address. */
  readonly start: (count: number) => Promise<void>;
  /** Calls some of those that wait, the oldest first. @returns a sentence about each call that was refused */
  readonly resume: (count: number) => Promise<readonly string[]>;
}

const ATTEMPTS = 20;
const PAUSE_MS = 250;

/** Starts and resumes waiting runs through the one address. */
export const createWaitingRuns = ({ ingress, crowd }: Scene): WaitingRuns => {
  const wanted: Wanted[] = [];
  const addresses: string[] = [];

  const resumeOne = async (address: string): Promise<string | undefined> => {
    const { pathname } = new URL(address);
    let wasCut = false;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const reply = await crowd.send({ path: pathname, body: '{}', headers: {} });
      if (reply.kind === 'answer' && reply.status < 300) return undefined;
      // the call whose connection was cut may have resumed the run
      if (reply.kind === 'answer' && reply.status === 409 && wasCut) return undefined;
      // the address is given before the wait begins
      const isEarly = reply.kind === 'answer' && reply.text.includes('EXECUTION_NOT_WAITING_YET');
      if (reply.kind === 'answer' && !isEarly) return `POST ${pathname}: ${tellReply(reply)}`;
      wasCut ||= reply.kind === 'broken';
      await sleep(PAUSE_MS);
    }
    return `POST ${pathname}: no success in ${ATTEMPTS} attempts`;
  };

  return {
    wanted,
    get waiting() {
      return addresses.length;
    },
    start: async (count) => {
      const first = wanted.length;
      const started = await Promise.all(
        Array.from({ length: count }, (_, index) =>
          startRun(RESUMED, first + index, `${RESUMED.name}-${first + index}`, ingress),
        ),
      );
      for (const one of started) {
        wanted.push(one);
        if (one.accepted?.kind === 'answer') addresses.push(one.accepted.text);
      }
    },
    resume: async (count) => {
      const refused = await Promise.all(addresses.splice(0, count).map(resumeOne));
      return refused.filter((sentence) => sentence !== undefined);
    },
  };
};
