import { Buffer } from 'node:buffer';
import type { StopReason } from '../code/code-runner';
import { SANDBOX_LIMITS } from '../pools/limits';
import type { CompiledCode, Realm, Realms } from './realms';

// Captured before the global names of this realm are removed.
const { wait } = Atomics;
const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** Blocks this thread. */
export const sleep = (ms: number): void => void wait(sleeper, 0, 0, ms);

/** The report of a run as JSON text, or why there is none. */
export type RealmOutcome = string | { readonly stopped: StopReason };

/** The outcome of a run that has a report. */
export const withinLimit = (report: string): RealmOutcome =>
  Buffer.byteLength(report) > SANDBOX_LIMITS.resultBytes ? { stopped: 'result' } : report;

/** Runs code in a realm until it has a report. Its time limit is enforced from outside. */
export function runInRealm(realms: Realms, realm: Realm, code: CompiledCode, input: string): RealmOutcome {
  try {
    realm.sandbox.start(realms.functionOf(realm, code), input);
    for (;;) {
      realms.tick(realm);
      const answer: unknown = realm.sandbox.poll();
      // Only strings are inspected; anything else that the realm returns is a user object.
      if (typeof answer !== 'string') return { stopped: 'engine' };
      if (answer === 'never') return { stopped: 'never' };
      if (answer.startsWith('wait:')) {
        sleep(Number(answer.slice('wait:'.length)));
        continue;
      }
      return withinLimit(answer);
    }
  } catch {
    // The thrown value belongs to the realm and is not inspected here.
    return { stopped: 'engine' };
  }
}
