import { LIMITS } from '../limits';
import { isArray, isPlainObject } from './kinds';
import { overBudget } from './run';

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
  return new Transformation(leaf, isStrict).of(value, 0);
}

class Transformation {
  private left: number = LIMITS.resultValues;

  constructor(
    private readonly leaf: Leaf,
    private readonly isStrict: boolean,
  ) {}

  of(value: unknown, depth: number): unknown {
    this.left -= 1;
    if (this.left < 0) throw overBudget(`gives more than ${LIMITS.resultValues} values`);
    if (depth > LIMITS.dataDepth)
      throw overBudget(`gives data nested deeper than ${LIMITS.dataDepth} levels, or data that contains itself`);
    if (isArray(value)) return this.ofList(value, depth + 1);
    return isPlainObject(value) ? this.ofFields(value, depth + 1) : this.leaf(value);
  }

  private ofList(list: unknown[], depth: number): unknown[] {
    let copy: unknown[] | undefined;
    for (let index = 0; index < list.length; index += 1) {
      const entry = list[index];
      const kept = this.of(entry, depth) ?? (entry === undefined && !this.isStrict ? undefined : null);
      if (kept === entry) continue;
      copy ??= [...list];
      copy[index] = kept;
    }
    return copy ?? list;
  }

  private ofFields(fields: Record<string, unknown>, depth: number): Record<string, unknown> {
    let copy: Record<string, unknown> | undefined;
    for (const key of Object.keys(fields)) {
      const value = fields[key];
      const kept = this.of(value, depth);
      if (kept === value && (value !== undefined || !this.isStrict)) continue;
      copy ??= { ...fields };
      if (kept === undefined) delete copy[key];
      else copy[key] = kept;
    }
    return copy ?? fields;
  }
}
