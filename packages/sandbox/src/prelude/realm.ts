import type { CodeInput } from '../code-data';
import { define } from './define';
import { installConsole } from './globals/console';
import { installRandom } from './globals/random';
import { installText } from './globals/text';
import { Timers } from './globals/timers';
import type { HostFunction } from './host';
import { connectHost } from './host';
import type { LoadModule } from './libraries';
import { connectModules } from './libraries';
import { installModules } from './modules/require';
import { formatStack } from './realm-errors';
import { installConvenience } from './roots/convenience';
import { Roots } from './roots/install-roots';
import { PersistentData } from './roots/persistent-data';
import type { UserFunction } from './run';
import { runUserFunction } from './run';

// Saved before any user code runs, which may replace the global ones.
const { parse } = JSON;

/** Names of V8 that code must not have: they give it threads, exact clocks, or machine code of its choice. */
const REMOVED = ['WebAssembly', 'SharedArrayBuffer', 'Atomics', 'gc'];

/** A realm of V8 as seen by its process. */
export interface RealmSandbox {
  /** Begins. `input` is JSON of a `CodeInput`. */
  start(code: UserFunction, input: string): void;
  /**
   * The report as JSON once there is one. Until then `wait:` and the milliseconds until something can continue, or
   * `never`.
   */
  poll(): string;
  /** Prepares a realm in which nothing has run for several runs, of plain code only. */
  harden(): void;
  /** Leaves a hardened realm as it was before the run that has ended. False if that cannot be: it is of no use then. */
  restore(): boolean;
}

/**
 * Makes a fresh realm of V8 ready for any user code.
 * @param countLoads number of modules loaded so far
 */
export function createRealm(host: HostFunction, load: LoadModule, countLoads: () => number): RealmSandbox {
  for (const name of REMOVED) Reflect.deleteProperty(globalThis, name);
  connectHost(guarded(host));
  connectModules(load);
  define(Error, 'prepareStackTrace', formatStack);
  const timers = new Timers();
  timers.install();
  installConsole();
  installText();
  installRandom();
  installModules();
  installConvenience();
  let report: string | undefined;
  let restore: (() => boolean) | undefined;
  let loads = 0;
  return {
    harden: () => {
      restore = load('harden').hardenRealm();
      loads = countLoads();
    },
    restore: () => {
      report = undefined;
      // Modules have state, timers have numbers, and one that is left is what the run would do later.
      return restore?.() === true && countLoads() === loads && !timers.areUsed;
    },
    start: (code, inputText) => {
      const input: CodeInput = parse(inputText);
      const persistent = new PersistentData(input);
      const roots = new Roots(input, persistent);
      roots.install();
      void (async () => {
        report = await runUserFunction(code, input, roots, persistent);
      })();
    },
    poll: () => {
      if (report !== undefined) return report;
      if (timers.runNext()) return 'wait:0';
      const ms = timers.msToNext();
      return ms === undefined ? 'never' : `wait:${ms}`;
    },
  };
}

/**
 * The host function, with what it throws kept from the code: that would be an object of the process's own realm. It
 * throws nothing itself, but deep in a recursion there may be no stack left for it.
 */
function guarded(host: HostFunction): HostFunction {
  return (operation, text) => {
    try {
      return host(operation, text);
    } catch {
      throw new RangeError('Maximum call stack size exceeded');
    }
  };
}
