import { constants, createContext, Script } from 'node:vm';
import type { Context, CreateContextOptions } from 'node:vm';
import type { HostFunction } from '../prelude/host';
import type { Sandbox } from '../prelude/main';
import { realmScript } from './load-prelude';
import { describeSyntaxError } from './syntax-error';

/** Pieces of code that a process holds ready to run. */
const MAX_SCRIPTS = 500;
/** Name of the user's code in stacks. */
const FILE = 'code';

/** A realm in which nothing has run yet. */
export interface Realm {
  readonly context: Context;
  readonly sandbox: Sandbox;
}

/** Makes realms, each with its own global objects, and runs code in them. */
export class Realms {
  readonly #prelude = new Script(realmScript(), { filename: 'prelude' });
  readonly #tick = new Script('0', { filename: 'prelude' });
  readonly #scripts = new Map<string, Script>();
  readonly #host: HostFunction;

  constructor(host: HostFunction) {
    this.#host = host;
  }

  make(): Realm {
    const context = newContext();
    const create: (host: HostFunction) => Sandbox = this.#prelude.runInContext(context);
    return { context, sandbox: create(this.#host) };
  }

  /** The code as a script, compiled once; the report that says why it is none, as JSON text. */
  compile(code: string): Script | string {
    const known = this.#scripts.get(code);
    if (known !== undefined) return known;
    try {
      const script = new Script(code, { filename: FILE });
      if (this.#scripts.size >= MAX_SCRIPTS) this.#scripts.clear();
      this.#scripts.set(code, script);
      return script;
    } catch (error) {
      const text = error instanceof Error ? `${error.name}: ${error.message}` : '';
      return JSON.stringify({ error: describeSyntaxError(code, text) });
    }
  }

  /** Lets promises of a realm move on. */
  tick({ context }: Realm): void {
    this.#tick.runInContext(context);
  }

  /** Evaluates a script of ours in a realm. */
  evaluate({ context }: Realm, text: string): unknown {
    return new Script(text, { filename: 'prelude' }).runInContext(context);
  }
}

/** A context whose promises move only while something is run in it. */
function newContext(): Context {
  // An ordinary global object where Node offers that, else one that Node asks about every name, which is slower.
  const ordinary: unknown = Reflect.get(constants, 'DONT_CONTEXTIFY');
  const options: CreateContextOptions = {
    microtaskMode: 'afterEvaluate',
    codeGeneration: { strings: true, wasm: false },
  };
  return Reflect.apply(createContext, undefined, [ordinary ?? Object.create(null), options]);
}
