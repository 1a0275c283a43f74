import { LIMITS } from '../../limits';
import { isArray, isPlainObject } from '../kinds';
import { overBudget } from '../run';

/**
 * Returns the replacement of a value that is neither a list nor a plain object. Undefined leaves it out of objects, and
 * makes it null in lists.
 */
export type Leaf = (value: unknown) => unknown;

/**
 * Data with its leaves replaced. Lists and objects in which nothing changes are returned as such, not copied. Undefined
 * that was there before stays, unless `isStrict`: then it is left out of objects, and null in lists.
 * @throws ExpressionError `budget` for data that is too large or contains itself
 */
export function transformData(value: unknown, leaf: Leaf, isStrict = false): unknown {
  const small = new Transformation(leaf, isStrict, undefined).start(value);
  return small === LARGE ? new Transformation(leaf, isStrict, new Map()).start(value) : small;
}

/** Signals data with more than `LARGE_VALUES` values, in which lists and objects may be repeated. */
const LARGE = Symbol('large');
const LARGE_VALUES = 50_000;

/** A list or object that was visited, with the number of values and the levels in it. */
interface Known {
  readonly kept: unknown;
  readonly values: number;
  readonly levels: number;
}

class Transformation {
  private values = 0;
  private repeated = 0;
  /** Levels of the value that was visited last. */
  private levels = 0;

  constructor(
    private readonly leaf: Leaf,
    private readonly isStrict: boolean,
    private readonly known: Map<object, Known> | undefined,
  ) {}

  start(value: unknown): unknown {
    try {
      return this.of(value, 0);
    } catch (error) {
      if (error === LARGE) return LARGE;
      throw error;
    }
  }

  private of(value: unknown, depth: number): unknown {
    if (!isArray(value) && !isPlainObject(value)) {
      this.count(1);
      this.levels = 0;
      return this.leaf(value);
    }
    if (depth > LIMITS.dataDepth) throw tooDeep();
    const known = this.known?.get(value);
    if (known !== undefined) return this.again(known, depth);
    const before = this.values;
    this.count(1);
    const kept = isArray(value) ? this.ofList(value, depth + 1) : this.ofFields(value, depth + 1);
    this.known?.set(value, { kept, values: this.values - before, levels: this.levels });
    return kept;
  }

  /** A list or object that the data repeats: it is written as often as it occurs, but visited once. */
  private again({ kept, values, levels }: Known, depth: number): unknown {
    this.count(values);
    this.repeated += values;
    if (this.repeated > LIMITS.repeatedValues)
      throw overBudget(`gives more than ${LIMITS.repeatedValues} values in lists and objects that it repeats`);
    if (depth + levels > LIMITS.dataDepth) throw tooDeep();
    this.levels = levels;
    return kept;
  }

  private count(values: number): void {
    this.values += values;
    if (this.values > LIMITS.resultValues) throw overBudget(`gives more than ${LIMITS.resultValues} values`);
    // Caught by `start`.
    if (this.known === undefined && this.values > LARGE_VALUES) throw LARGE;
  }

  private ofList(list: unknown[], depth: number): unknown[] {
    let copy: unknown[] | undefined;
    let levels = 0;
    for (let index = 0; index < list.length; index += 1) {
      const entry = list[index];
      const kept = this.of(entry, depth) ?? (entry === undefined && !this.isStrict ? undefined : null);
      levels = Math.max(levels, this.levels);
      if (kept === entry) continue;
      copy ??= [...list];
      copy[index] = kept;
    }
    this.levels = levels + 1;
    return copy ?? list;
  }

  private ofFields(fields: Record<string, unknown>, depth: number): Record<string, unknown> {
    let copy: Record<string, unknown> | undefined;
    let levels = 0;
    for (const key of Object.keys(fields)) {
      const value = fields[key];
      const kept = this.of(value, depth);
      levels = Math.max(levels, this.levels);
      if (kept === value && (value !== undefined || !this.isStrict)) continue;
      copy ??= { ...fields };
      if (kept === undefined) delete copy[key];
      else copy[key] = kept;
    }
    this.levels = levels + 1;
    return copy ?? fields;
  }
}

function tooDeep(): Error {
  return overBudget(`gives data nested deeper than ${LIMITS.dataDepth} levels, or data that contains itself`);
}
