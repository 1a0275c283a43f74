import type { CompiledCode, Realm, Realms } from './realms';
import type { RealmOutcome } from './run-in-realm';
import { runInRealm } from './run-in-realm';

/** Number of realms that code may spoil before each of its runs gets a separate realm. */
const MAX_SPOILT = 3;

/**
 * The realms of a process. Plain code runs in a shared one, because creating a realm takes longer than most code; it is
 * restored or replaced after each run. All other code gets a realm for one run, created ahead of time.
 */
export class ProcessRealms {
  readonly #realms: Realms;
  #next: Realm;
  #shared: Realm | undefined;
  #spoilt = 0;

  /** @param shared a realm prepared for plain code */
  constructor(realms: Realms, shared = realms.makeShared()) {
    this.#realms = realms;
    this.#next = realms.make();
    this.#shared = shared;
  }

  run(code: CompiledCode, input: string): RealmOutcome {
    return runInRealm(this.#realms, this.#realmFor(code), code, input);
  }

  /** Prepares for the next run. Called while no run is waiting. */
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

function isRestored({ restore }: Realm): boolean {
  try {
    return restore?.() === true;
  } catch {
    return false;
  }
}
