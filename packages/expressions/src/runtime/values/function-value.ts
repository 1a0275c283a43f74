import type { Run } from '../run';
import { typeError } from '../thrown';

/** The arguments of a call. Missing ones are undefined. */
export type Arguments = readonly unknown[];

/**
 * Body of a native function. One step for the call has been taken already; the body takes those that depend on the
 * size of its input itself.
 */
export type NativeBody = (run: Run, self: unknown, args: Arguments) => unknown;

/** A value of the language that can be called. Its implementation is out of reach of expressions. */
export abstract class FunctionValue {
  abstract readonly name: string;
  /** Number of parameters, as JavaScript counts them. */
  abstract readonly length: number;

  /** Calls it with `self` as `this`. */
  abstract call(run: Run, self: unknown, args: Arguments): unknown;

  /** Calls it with `new`. */
  construct(_run: Run, _args: Arguments): unknown {
    throw typeError(`${this.name} is not a constructor`);
  }

  /** A field of the function itself, such as `Object.keys`; undefined if it has none of that name. */
  member(_key: string): unknown {
    return undefined;
  }

  /** Result of `value instanceof this`. */
  hasInstance(_value: unknown): boolean {
    return false;
  }
}

/** A function that Weft provides. */
export class NativeFunction extends FunctionValue {
  constructor(
    readonly name: string,
    readonly length: number,
    private readonly body: NativeBody,
    private readonly members: ReadonlyMap<string, unknown> = new Map(),
  ) {
    super();
  }

  override call(run: Run, self: unknown, args: Arguments): unknown {
    run.step(1);
    return this.body(run, self, args);
  }

  override member(key: string): unknown {
    return this.members.get(key);
  }

  /** The names of its own fields that are functions. */
  memberNames(): string[] {
    return [...this.members].flatMap(([name, member]) => (member instanceof FunctionValue ? [name] : []));
  }
}

/** The operations by which a constructor makes and recognises its instances. */
export interface ConstructorParts {
  /** Result of `new`. */
  readonly construct: (run: Run, args: Arguments) => unknown;
  /** Result of the call without `new`; the same as `construct` if absent. */
  readonly call?: (run: Run, args: Arguments) => unknown;
  readonly isInstance: (value: unknown) => boolean;
  readonly members?: Readonly<Record<string, unknown>>;
}

/** A constructor that Weft provides, for example `Date`. */
export class NativeConstructor extends NativeFunction {
  constructor(
    name: string,
    length: number,
    private readonly parts: ConstructorParts,
  ) {
    const call = parts.call ?? parts.construct;
    super(name, length, (run, _self, args) => call(run, args), new Map(Object.entries(parts.members ?? {})));
  }

  override construct(run: Run, args: Arguments): unknown {
    run.step(1);
    return this.parts.construct(run, args);
  }

  override hasInstance(value: unknown): boolean {
    return this.parts.isInstance(value);
  }
}

/** Makes a record of native functions out of their bodies, each named after its key. */
export function nativeFunctions(
  bodies: Readonly<Record<string, (run: Run, args: Arguments) => unknown>>,
): Record<string, NativeFunction> {
  return Object.fromEntries(
    Object.entries(bodies).map(([name, body]) => [
      name,
      new NativeFunction(name, 0, (run, _self, args) => body(run, args)),
    ]),
  );
}

/** The value as a function. @throws Thrown TypeError if it is not one; `what` names it in the message. */
export function asFunction(value: unknown, what = 'callback'): FunctionValue {
  if (value instanceof FunctionValue) return value;
  throw typeError(`${what} is not a function`);
}
