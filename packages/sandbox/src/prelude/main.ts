import type { CodeInput } from '../code-data';
import { defineGlobal } from './define';
import { ErrorReader, improveRejections } from './errors';
import { installConsole } from './globals/console';
import { installJson } from './globals/json';
import { installRandom } from './globals/random';
import { installText } from './globals/text';
import { Timers } from './globals/timers';
import type { HostFunction } from './host';
import { connectHost } from './host';
import { installCollation } from './intl/collation';
import { installIntl } from './intl/formatters';
import { installLocaleMethods } from './intl/locale-methods';
import { installZones } from './intl/zones';
import type { LoadModule } from './libraries';
import { connectModules, loadAll } from './libraries';
import { installModules } from './modules/require';
import { installConvenience } from './roots/convenience';
import { Roots } from './roots/install-roots';
import { PersistentData } from './roots/persistent-data';
import type { UserFunction } from './run';
import { runUserFunction } from './run';

// Saved before any user code runs, which may replace the global ones.
const { parse } = JSON;

/** Interface for the program around the engine. */
export interface Sandbox {
  /** Begins. `text` is the user's function as text, `input` JSON of a `CodeInput`. */
  start(code: UserFunction, text: string, input: string): void;
  /**
   * The report as JSON once there is one. Until then `wait:` and the milliseconds until something can continue, or
   * `never`.
   */
  poll(): string;
}

/** Makes the engine ready for any user code. What it looks like afterwards is what every run begins with. */
export function createSandbox(host: HostFunction, load: LoadModule): Sandbox {
  connectHost(host);
  connectModules(load);
  loadAll();
  const timers = new Timers();
  timers.install();
  installConsole();
  installText();
  installRandom();
  installJson();
  installIntl();
  installCollation();
  installLocaleMethods();
  installZones();
  installModules();
  installConvenience();
  let report: string | undefined;
  return {
    start: (code, text, inputText) => {
      const input: CodeInput = parse(inputText);
      const errors = new ErrorReader(text);
      const persistent = new PersistentData(input);
      const roots = new Roots(input, persistent);
      roots.install();
      defineGlobal('__weftCaught', errors.improve);
      improveRejections(errors);
      // Not by `then`, which code may replace.
      void (async () => {
        report = await runUserFunction(code, input, roots, persistent, errors);
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
