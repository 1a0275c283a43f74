import type { Json, JsonObject } from './json';

/** What is told of a value; each may throw. */
export interface JsonRules {
  /** Levels of lists and objects after which `onTooDeep` is told. Absent: none. */
  readonly maxDepth?: number;
  readonly onTooDeep?: () => void;
  /** An object has a key `__proto__`, which becomes a prototype when objects are merged. */
  readonly onProto?: (object: JsonObject) => void;
  /** A number of the text was infinite for a double. `key`: empty in a list, and for the value itself. */
  readonly onInfinite?: (key: string) => void;
}

/** Lists and objects that are looked at before others may have the thread: some milliseconds. */
const PART_SIZE = 32_768;

/**
 * Looks at a parsed value level by level, in parts between which others may have the thread. That takes a fraction of
 * what parsing takes, where a function that `JSON.parse` calls for each value takes ten times as long; and it does not
 * recurse, so that it may come after parsing a text of a million levels.
 */
export function* walkJson(value: Json, rules: JsonRules): Generator<undefined, void> {
  const { maxDepth = Number.POSITIVE_INFINITY, onTooDeep, onProto, onInfinite } = rules;
  let next: (Json[] | JsonObject)[] = [];
  const look = (key: string, inner: Json | undefined): void => {
    if (typeof inner === 'object') {
      if (inner !== null) next.push(inner);
    } else if (inner === Number.POSITIVE_INFINITY || inner === Number.NEGATIVE_INFINITY) onInfinite?.(key);
  };

  look('', value);
  for (let depth = 1, looked = 0; next.length > 0; depth += 1) {
    if (depth > maxDepth) onTooDeep?.();
    const level = next;
    next = [];
    for (const container of level) {
      looked += 1;
      if (looked % PART_SIZE === 0) yield;
      if (Array.isArray(container)) for (const inner of container) look('', inner);
      else {
        if (Object.hasOwn(container, '__proto__')) onProto?.(container);
        for (const key in container) look(key, container[key]);
      }
    }
  }
}

/** Does all parts of a work one after the other. */
export const runToEnd = <Result>(parts: Generator<undefined, Result>): Result => {
  let part = parts.next();
  while (part.done !== true) part = parts.next();
  return part.value;
};
