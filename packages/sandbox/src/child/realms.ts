import { constants, createContext, Script } from 'node:vm';
import type { Context, CreateContextOptions } from 'node:vm';
import type { CodeError } from '../code-data';
import type { HostFunction } from '../prelude/host';
import type { RealmSandbox } from '../prelude/realm';
import type { UserFunction } from '../prelude/run';
import { realmScript } from './load-prelude';
import { isPlainCode } from './plain-code';

/** Pieces of code that a process holds ready to run. */
const MAX_SCRIPTS = 500;
/** Name of the user's code in stacks. */
const FILE = 'code';

/** A realm in which nothing has run yet, or nothing that is left in it. */
export interface Realm {
  readonly context: Context;
  readonly sandbox: RealmSandbox;
  /** Functions of code that has run in it before; absent if it serves one run. */
  readonly functions?: WeakMap<Script, UserFunction>;
}

/** Code that was compiled. */
export interface CompiledCode {
  readonly script: Script;
  /** True if it may run in a realm that it shares with runs before and after it. */
  readonly isPlain: boolean;
}

/** Makes realms, each with its own global objects, and runs code in them. */
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

  /** A realm for many runs of plain code, one after the other. */
  makeShared(): Realm {
    const context = newContext(false);
    const sandbox = this.#fill(context);
    sandbox.harden();
    return { context, sandbox, functions: new WeakMap() };
  }

  /** The code, compiled once; the report that says why it cannot be, as JSON text. */
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

  /** The code as a function of a realm. In a shared realm it is made once, so that V8 can get to know it. */
  functionOf({ context, functions }: Realm, { script }: CompiledCode): UserFunction {
    const known = functions?.get(script);
    if (known !== undefined) return known;
    const made: UserFunction = script.runInContext(context);
    // Nothing can be left at it for a later run.
    functions?.set(script, Object.freeze(made));
    return made;
  }

  /** Lets promises of a realm move on. */
  tick({ context }: Realm): void {
    this.#tick.runInContext(context);
  }

  /** Evaluates a script of ours in a realm. */
  evaluate({ context }: Realm, text: string): unknown {
    return new Script(text, { filename: 'prelude' }).runInContext(context);
  }

  #fill(context: Context): RealmSandbox {
    const create: (host: HostFunction) => RealmSandbox = this.#prelude.runInContext(context);
    return create(this.#host);
  }
}

/**
 * A context whose promises move only while something is run in it.
 * @param makesCode whether code in it may make code of text
 */
function newContext(makesCode: boolean): Context {
  // An ordinary global object where Node offers that, else one that Node asks about every name, which is slower.
  const ordinary: unknown = Reflect.get(constants, 'DONT_CONTEXTIFY');
  const options: CreateContextOptions = {
    microtaskMode: 'afterEvaluate',
    codeGeneration: { strings: makesCode, wasm: false },
  };
  return Reflect.apply(createContext, undefined, [ordinary ?? Object.create(null), options]);
}

/** What V8 says of code that it cannot compile, with the line of the code. */
function describeSyntaxError(error: unknown): CodeError {
  const { name, message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  const line = error instanceof SyntaxError ? /^code:(\d+)/.exec(stack)?.[1] : undefined;
  return { name, message, ...(line === undefined ? {} : { line: Number(line) }) };
}
