import { asFunction } from '../runtime/values/function-value';
import type { Arguments } from '../runtime/values/function-value';
import { IteratorValue } from '../runtime/values/iterator-value';
import type { Run } from '../runtime/run';
import { countKey, countKeys } from '../runtime/texts';
import { typeError } from '../runtime/thrown';
import { methodTable } from './method';

const isMap = (value: unknown): value is Map<unknown, unknown> => value instanceof Map;
const isSet = (value: unknown): value is Set<unknown> => value instanceof Set;
const isIterator = (value: unknown): value is IteratorValue => value instanceof IteratorValue;

function forEach(
  run: Run,
  entries: Iterable<readonly [unknown, unknown]>,
  self: unknown,
  [callback, thisValue]: Arguments,
): void {
  const call = asFunction(callback);
  for (const [key, value] of entries) call.call(run, thisValue, [value, key, self]);
}

function values(run: Run, list: Iterable<unknown>, size: number): IteratorValue {
  run.allowEntries(size);
  return new IteratorValue([...list]);
}

function counted(run: Run, key: unknown): unknown {
  countKey(run, key);
  return key;
}

/** Methods of `Map`. */
export const mapMethods = methodTable('Map', isMap, {
  clear: (_run, self) => self.clear(),
  delete: (run, self, [key]) => self.delete(counted(run, key)),
  entries: (run, self) => values(run, self.entries(), self.size),
  forEach: (run, self, args) => forEach(run, self.entries(), self, args),
  get: (run, self, [key]) => self.get(counted(run, key)),
  has: (run, self, [key]) => self.has(counted(run, key)),
  keys: (run, self) => values(run, self.keys(), self.size),
  set: (run, self, [key, value]) => {
    run.grow(self.size + 1);
    return self.set(counted(run, key), value);
  },
  values: (run, self) => values(run, self.values(), self.size),
});

/** A method that compares a set with another one; the work is counted before it is done. */
const withOther =
  (compare: (self: Set<unknown>, other: Set<unknown>) => unknown) =>
  (run: Run, self: Set<unknown>, [other]: Arguments): unknown => {
    if (!isSet(other)) throw typeError('The argument must be a Set');
    run.allowEntries(self.size + other.size);
    run.work((self.size + other.size) >> 3);
    countKeys(run, [...self, ...other]);
    return compare(self, other);
  };

const minus = (self: Set<unknown>, other: Set<unknown>): Set<unknown> =>
  new Set([...self].filter((value) => !other.has(value)));

/** Methods of `Set`. */
export const setMethods = methodTable('Set', isSet, {
  add: (run, self, [value]) => {
    run.grow(self.size + 1);
    return self.add(counted(run, value));
  },
  clear: (_run, self) => self.clear(),
  delete: (run, self, [value]) => self.delete(counted(run, value)),
  difference: withOther((self, other) => minus(self, other)),
  entries: (run, self) => values(run, self.entries(), self.size),
  forEach: (run, self, args) => forEach(run, self.entries(), self, args),
  has: (run, self, [value]) => self.has(counted(run, value)),
  intersection: withOther((self, other) => new Set([...self].filter((value) => other.has(value)))),
  isDisjointFrom: withOther((self, other) => ![...self].some((value) => other.has(value))),
  isSubsetOf: withOther((self, other) => [...self].every((value) => other.has(value))),
  isSupersetOf: withOther((self, other) => [...other].every((value) => self.has(value))),
  keys: (run, self) => values(run, self.values(), self.size),
  symmetricDifference: withOther((self, other) => new Set([...minus(self, other), ...minus(other, self)])),
  union: withOther((self, other) => new Set([...self, ...other])),
  values: (run, self) => values(run, self.values(), self.size),
});

/** Methods of iterators. */
export const iteratorMethods = methodTable('Iterator', isIterator, {
  next: (run, self) => run.made(self.next()),
  toArray: (run, self) => {
    const rest = self.rest();
    run.allowEntries(rest.length);
    return run.made([...rest]);
  },
});
