import type { CompiledCode, Realm, Realms } from './realms';
import type { RealmOutcome } from './run-in-realm';
import { runInRealm } from './run-in-realm';

/** Realms that code may spoil before each run gets one of its own. */
const MAX_SPOILT = 3;

/**
 * The realms of a process. Plain code runs in one that stays, since to make one takes longer than most code; it is left
 * as it was after each run, or replaced. All other code has a realm for one run, made ahead.
 */
export class ProcessRealms {
  readonly #realms: Realms;
  #next: Realm;
  #shared: Realm | undefined;
  #spoilt = 0;

  /** @param shared a realm that is ready for plain code */
  constructor(realms: Realms, shared = realms.makeShared()) {
    this.#realms = realms;
    this.#next = realms.make();
    this.#shared = shared;
  }

  run(code: CompiledCode, input: string): RealmOutcome {
    return runInRealm(this.#realms, this.#realmFor(code), code, input);
  }

  /** Makes ready for the next run. Called when nobody waits. */
  restore(code: CompiledCode, outcome: RealmOutcome): void {
    const realm = this.#realmFor(code);
    if (realm === this.#next) this.#next = this.#realms.make();
    else if (typeof outcome !== 'string' || !isRestored(realm)) this.#replaceShared();
  }

  #realmFor({ isPlain }: CompiledCode): Realm {
    return (isPlain ? this.#shared : undefined) ?? this.#next;
  }

  #replaceShared(): void {
    this.#spoilt += 1;
    this.#shared = this.#spoilt < MAX_SPOILT ? this.#realms.makeShared() : undefined;
  }
}

function isRestored({ sandbox }: Realm): boolean {
  try {
    // Whatever else a realm should give is an object of the user's.
    return sandbox.restore() === true;
  } catch {
    return false;
  }
}
