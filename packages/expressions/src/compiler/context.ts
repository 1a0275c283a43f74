import { ExpressionError } from '../errors';
import { LIMITS } from '../limits';
import { forbidden, isReservedVariable } from '../runtime/names';
import { UNINITIALISED } from './frame';

/** The kind of a variable's declaration, which determines how it may be used. */
export type BindingKind = 'var' | 'let' | 'const';

/** Location of a variable: number of frames outwards, and slot. */
export interface Place {
  readonly hops: number;
  readonly index: number;
  readonly kind: BindingKind;
}

/**
 * The variables of a function or block, known before its code is compiled. It has a frame at run time if it has any.
 */
export class StaticScope {
  private readonly bindings = new Map<string, { index: number; kind: BindingKind }>();

  constructor(
    readonly parent: StaticScope | undefined,
    /** True for a function that has its own `this`. */
    readonly ownsThis: boolean = false,
  ) {}

  get size(): number {
    return this.bindings.size;
  }

  /**
   * Adds a variable, or returns the slot of the one with that name.
   * @throws ExpressionError `security` for reserved names
   */
  declare(name: string, kind: BindingKind): number {
    if (isReservedVariable(name)) throw forbidden(name);
    const known = this.bindings.get(name);
    if (known !== undefined) return known.index;
    const index = this.bindings.size;
    this.bindings.set(name, { index, kind });
    return index;
  }

  /**
   * The slots of a frame as it begins: `let` and `const` are not to be read yet. Made once all variables are declared.
   */
  initialSlots(): readonly unknown[] {
    return [...this.bindings.values()].map(({ kind }) => (kind === 'var' ? undefined : UNINITIALISED));
  }

  /** Location of the variable, seen from this scope; undefined if no variable has the name. */
  find(name: string): Place | undefined {
    let hops = 0;
    for (let scope: StaticScope | undefined = this; scope !== undefined; scope = scope.parent) {
      const binding = scope.bindings.get(name);
      if (binding !== undefined) return { hops, ...binding };
      if (scope.size > 0) hops += 1;
    }
    return undefined;
  }
}

/** State of the compilation of one expression body. */
export class Unit {
  /** Nodes compiled so far: the weight of code that has no loop in it. */
  weight = 0;
  /** The deepest nesting seen since it was last reset. */
  deepest = 0;
  private depth = 0;

  constructor(
    readonly source: string,
    /** Offset of the body in the parameter's text. */
    private readonly offset: number,
    /** Collects the names that are not variables of the body; nothing does while it runs. */
    readonly freeNames: Set<string> | undefined = undefined,
  ) {}

  /** Runs `body` one level deeper. @throws ExpressionError `syntax` if the text is nested too deeply */
  nested<T>(body: () => T): T {
    this.weight += 1;
    this.depth += 1;
    this.deepest = Math.max(this.deepest, this.depth);
    if (this.depth > LIMITS.syntaxDepth) {
      throw new ExpressionError(`The expression is nested deeper than ${LIMITS.syntaxDepth} levels`, {
        type: 'syntax',
      });
    }
    const result = body();
    this.depth -= 1;
    return result;
  }

  /** Runs `body`, and returns its result and the nesting depth of its code. */
  measured<T>(body: () => T): { result: T; levels: number; weight: number } {
    const outer = this.deepest;
    const weight = this.weight;
    this.deepest = this.depth;
    const result = body();
    const levels = this.deepest - this.depth;
    this.deepest = Math.max(outer, this.deepest);
    return { result, levels, weight: this.weight - weight };
  }

  /** Position in the parameter's text of something at `start` in the body. */
  position(start: number): number {
    return this.offset + start;
  }

  /** The error for syntax that expressions leave out. `what` begins the sentence. */
  refuse(what: string, start: number, description?: string): ExpressionError {
    const details = { type: 'syntax', position: this.position(start) } as const;
    return new ExpressionError(
      `${what} not available in expressions`,
      description === undefined ? details : { ...details, description },
    );
  }

  /** The error for a name that no expression may use. */
  forbid(name: string, start: number): ExpressionError {
    return forbidden(name, this.position(start));
  }
}

/** Compilation context at one place of the text. */
export interface Context {
  readonly unit: Unit;
  readonly scope: StaticScope | undefined;
}
