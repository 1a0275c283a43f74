import type { CodeInput } from '../code/code-data';
import type { BuiltIns } from './built-ins';
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

// Saved before any user code runs, which may replace the globals.
const { parse } = JSON;

/** V8 globals that code must not have: they provide threads, precise clocks, or arbitrary machine code. */
const REMOVED = ['WebAssembly', 'SharedArrayBuffer', 'Atomics', 'gc'];

/** A realm of V8 as seen by its process. */
export interface RealmSandbox {
  /** Starts the code. `input` is JSON of a `CodeInput`. */
  start(code: UserFunction, input: string): void;
  /**
   * Returns the report as JSON once it is available. Until then `wait:` and the milliseconds until something can
   * continue, or `never`.
   */
  poll(): string;
  /** Prepares a fresh realm for several runs of plain code, and returns what the process needs to check it. */
  share(): BuiltIns;
  /**
   * Forgets the run, in a realm whose built-ins are intact. Returns false if the run changed the prelude; the realm
   * must then be discarded.
   */
  forget(): boolean;
}

/** Prepares a fresh V8 realm for any user code. @param countLoads number of modules loaded so far */
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
  let loads = 0;
  return {
    share: () => {
      const own = load('built-ins').builtIns();
      loads = countLoads();
      return own;
    },
    forget: () => {
      report = undefined;
      // Modules have state, timers have ids, and a pending timer would run in the next run.
      return countLoads() === loads && !timers.areUsed;
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
 * The host function, with its exceptions hidden from the code, because they would be objects of the process's realm. It
 * does not throw, but may run out of stack deep in a recursion.
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
