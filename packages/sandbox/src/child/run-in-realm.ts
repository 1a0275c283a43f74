import { Buffer } from 'node:buffer';
import type { StopReason } from '../code-runner';
import { SANDBOX_LIMITS } from '../limits';
import type { CompiledCode, Realm, Realms } from './realms';

// Held before the names of this realm are removed.
const { wait } = Atomics;
const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** The report of a run, which is JSON text, or why there is none. */
export type RealmOutcome = string | { readonly stopped: StopReason };

/** Runs code in a realm until it has a report. Its time is watched from outside. */
export function runInRealm(realms: Realms, realm: Realm, code: CompiledCode, input: string): RealmOutcome {
  try {
    realm.sandbox.start(realms.functionOf(realm, code), input);
    for (;;) {
      realms.tick(realm);
      const answer: unknown = realm.sandbox.poll();
      // Text is looked at; whatever else the realm should give is an object of the user's.
      if (typeof answer !== 'string') return { stopped: 'engine' };
      if (answer === 'never') return { stopped: 'never' };
      if (answer.startsWith('wait:')) {
        wait(sleeper, 0, 0, Number(answer.slice('wait:'.length)));
        continue;
      }
      return Buffer.byteLength(answer) > SANDBOX_LIMITS.resultBytes ? { stopped: 'result' } : answer;
    }
  } catch {
    // What was thrown belongs to the realm, and nothing of it is looked at here.
    return { stopped: 'engine' };
  }
}
