import { asFunction, NativeConstructor, nativeFunctions } from '../runtime/values/function-value';
import type { Arguments } from '../runtime/values/function-value';
import { iterate } from '../runtime/iterate';
import { readMember } from '../runtime/members';
import type { Run } from '../runtime/run';
import { countKey } from '../runtime/texts';

class WeakMapValue extends Map<unknown, unknown> {}
class WeakSetValue extends Set<unknown> {}

function fillMap<T extends Map<unknown, unknown>>(run: Run, map: T, [entries]: Arguments): T {
  if (entries === undefined || entries === null) return map;
  for (const entry of iterate(run, entries)) {
    run.grow(map.size + 1);
    const key = readMember(run, entry, '0');
    countKey(run, key);
    map.set(key, readMember(run, entry, '1'));
  }
  return map;
}

function fillSet<T extends Set<unknown>>(run: Run, set: T, [values]: Arguments): T {
  if (values === undefined || values === null) return set;
  for (const value of iterate(run, values)) {
    run.grow(set.size + 1);
    countKey(run, value);
    set.add(value);
  }
  return set;
}

function groupBy(run: Run, [list, callback]: Arguments): Map<unknown, unknown[]> {
  const call = asFunction(callback);
  const groups = new Map<unknown, unknown[]>();
  iterate(run, list).forEach((entry, index) => {
    const key = call.call(run, undefined, [entry, index]);
    countKey(run, key);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, run.made([entry]));
    else group.push(entry);
  });
  return groups;
}

/** `Map`, `Set` and their weak forms, which are the same here: nothing outlives an evaluation. */
export const collectionConstructors: Readonly<Record<string, NativeConstructor>> = {
  Map: new NativeConstructor('Map', 0, {
    construct: (run, args) => fillMap(run, new Map<unknown, unknown>(), args),
    isInstance: (value) => value instanceof Map,
    members: nativeFunctions({ groupBy }),
  }),
  Set: new NativeConstructor('Set', 0, {
    construct: (run, args) => fillSet(run, new Set<unknown>(), args),
    isInstance: (value) => value instanceof Set,
  }),
  WeakMap: new NativeConstructor('WeakMap', 0, {
    construct: (run, args) => fillMap(run, new WeakMapValue(), args),
    isInstance: (value) => value instanceof WeakMapValue,
  }),
  WeakSet: new NativeConstructor('WeakSet', 0, {
    construct: (run, args) => fillSet(run, new WeakSetValue(), args),
    isInstance: (value) => value instanceof WeakSetValue,
  }),
};
