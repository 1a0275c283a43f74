import { constants, createContext, Script } from 'node:vm';
import type { Context, CreateContextOptions } from 'node:vm';
import type { CodeError } from '../code/code-data';
import type { HostFunction } from '../prelude/host';
import type { RealmSandbox } from '../prelude/realm';
import type { UserFunction } from '../prelude/run';
import { hardenRealm } from './harden-realm';
import { realmScript } from './load-prelude';
import { isPlainCode } from './plain-code';

/** Maximum number of compiled scripts held by a process. */
const MAX_SCRIPTS = 500;
/** File name of the user's code in stack traces. */
const FILE = 'code';

/** A realm that is fresh or restored. */
export interface Realm {
  readonly context: Context;
  readonly sandbox: RealmSandbox;
  /** Functions of code that has run in it before; absent if it serves one run. */
  readonly functions?: WeakMap<Script, UserFunction>;
  /** Restores a shared realm after a run. Returns false if that fails; the realm must then be discarded. */
  readonly restore?: () => boolean;
}

export interface CompiledCode {
  readonly script: Script;
  /** True if it may run in a realm shared with other runs. */
  readonly isPlain: boolean;
}

/** Creates realms, each with separate global objects, and runs code in them. */
export class Realms {
  readonly #prelude = new Script(realmScript(), { filename: 'prelude' });
  readonly #tick = new Script('0', { filename: 'prelude' });
  readonly #codes = new Map<string, CompiledCode>();
  readonly #host: HostFunction;

  constructor(host: HostFunction) {
    this.#host = host;
  }

  /** A realm for one run of any code. */
  make(): Realm {
    const context = newContext(true);
    return { context, sandbox: this.#fill(context) };
  }

  /** A realm for many consecutive runs of plain code. */
  makeShared(): Realm {
    const context = newContext(false);
    const sandbox = this.#fill(context);
    const isIntact = hardenRealm(sandbox.share());
    // Nothing of the realm is called before its built-ins are known to be intact.
    return { context, sandbox, functions: new WeakMap(), restore: () => isIntact() && sandbox.forget() };
  }

  /** Compiles code once. Returns the report as JSON text if it does not compile. */
  compile(code: string): CompiledCode | string {
    const known = this.#codes.get(code);
    if (known !== undefined) return known;
    try {
      const compiled = { script: new Script(code, { filename: FILE }), isPlain: isPlainCode(code) };
      if (this.#codes.size >= MAX_SCRIPTS) this.#codes.clear();
      this.#codes.set(code, compiled);
      return compiled;
    } catch (error) {
      return JSON.stringify({ error: describeSyntaxError(error) });
    }
  }

  /** The code as a function of a realm. A shared realm reuses the function, so that V8 can optimize it. */
  functionOf({ context, functions }: Realm, { script }: CompiledCode): UserFunction {
    const known = functions?.get(script);
    if (known !== undefined) return known;
    const made: UserFunction = script.runInContext(context);
    // Nothing can be attached to it for a later run.
    functions?.set(script, Object.freeze(made));
    return made;
  }

  /** Runs the microtasks of a realm. */
  tick({ context }: Realm): void {
    this.#tick.runInContext(context);
  }

  /** Evaluates a trusted script in a realm. */
  evaluate({ context }: Realm, text: string): unknown {
    return new Script(text, { filename: 'prelude' }).runInContext(context);
  }

  #fill(context: Context): RealmSandbox {
    const create: (host: HostFunction) => RealmSandbox = this.#prelude.runInContext(context);
    return create(this.#host);
  }
}

/**
 * A context whose promises progress only while something runs in it.
 * @param makesCode whether code in it may compile strings
 */
const newContext = (makesCode: boolean): Context =>
  createRealmContext({ microtaskMode: 'afterEvaluate', codeGeneration: { strings: makesCode, wasm: false } });

/** A context whose global object is an ordinary one if Node supports that; interceptors for every name are slower. */
export function createRealmContext(options: CreateContextOptions): Context {
  const ordinary: unknown = Reflect.get(constants, 'DONT_CONTEXTIFY');
  return Reflect.apply(createContext, undefined, [ordinary ?? Object.create(null), options]);
}

/** V8's error for code that does not compile, with the line of the code. */
function describeSyntaxError(error: unknown): CodeError {
  const { name, message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  const line = error instanceof SyntaxError ? /^code:(\d+)/.exec(stack)?.[1] : undefined;
  return { name, message, ...(line === undefined ? {} : { line: Number(line) }) };
}
