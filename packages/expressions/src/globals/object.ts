import { copyFields } from '../compiler/literals';
import { toKey } from '../runtime/convert';
import { asFunction, NativeConstructor, nativeFunctions } from '../runtime/values/function-value';
import type { Arguments } from '../runtime/values/function-value';
import { isOwnMember } from '../methods/own-members';
import { iterate } from '../runtime/iterate';
import { isArray, isPlainObject } from '../runtime/kinds';
import { readMember } from '../runtime/members';
import type { Run } from '../runtime/run';
import { setOwn } from '../runtime/names';
import { typeError } from '../runtime/thrown';
import { VirtualObject } from '../runtime/values/virtual-object';

/** The own fields of a value by name, as `Object.entries` sees them. @throws Thrown TypeError on null and undefined */
function entriesOf(run: Run, value: unknown): [string, unknown][] {
  if (value === null || value === undefined) throw typeError('Cannot convert undefined or null to object');
  if (value instanceof VirtualObject) return value.keys(run).map((key) => [key, value.get(run, key)]);
  if (typeof value !== 'string' && !isArray(value) && !isPlainObject(value)) return [];
  run.allowEntries(typeof value === 'string' || isArray(value) ? value.length : Object.keys(value).length);
  return Object.entries(value);
}

function assign(run: Run, [target, ...sources]: Arguments): unknown {
  if (!isPlainObject(target)) throw typeError('Object.assign needs an object to assign to');
  run.mustOwn(target);
  for (const source of sources) copyFields(run, source, target);
  return target;
}

function fromEntries(run: Run, [list]: Arguments): Record<string, unknown> {
  const entries = iterate(run, list);
  run.allowEntries(entries.length);
  const result: Record<string, unknown> = {};
  for (const entry of entries) setOwn(result, toKey(run, readMember(run, entry, '0')), readMember(run, entry, '1'));
  return run.made(result);
}

function groupBy(run: Run, [list, callback]: Arguments): Record<string, unknown> {
  const call = asFunction(callback);
  const groups: Record<string, unknown[]> = {};
  iterate(run, list).forEach((entry, index) => {
    const key = toKey(run, call.call(run, undefined, [entry, index]));
    const group = Object.hasOwn(groups, key) ? groups[key] : undefined;
    if (group === undefined) setOwn(groups, key, run.made([entry]));
    else group.push(entry);
  });
  return run.made(groups);
}

/** There are no prototypes: the fields of the given one are copied, and read as inherited ones would be. */
function create(run: Run, [prototype, descriptors]: Arguments): Record<string, unknown> {
  if (prototype !== null && !isPlainObject(prototype))
    throw typeError('Object prototype may only be an Object or null');
  const result: Record<string, unknown> = {};
  if (prototype !== null) copyFields(run, prototype, result);
  if (descriptors === undefined) return run.made(result);
  for (const [key, descriptor] of entriesOf(run, descriptors))
    setOwn(result, key, readMember(run, descriptor, 'value'));
  return run.made(result);
}

/** `Object`. */
export const objectConstructor = new NativeConstructor('Object', 1, {
  construct: (run, [value]) => (value === undefined || value === null ? run.made({}) : value),
  isInstance: (value) => typeof value === 'object' && value !== null,
  members: nativeFunctions({
    assign,
    create,
    entries: (run, [value]) => run.made(entriesOf(run, value).map((entry) => run.made(entry))),
    freeze: (_run, [value]) => value,
    fromEntries,
    groupBy,
    getOwnPropertyNames: (run, [value]) => {
      const names = entriesOf(run, value).map(([key]) => key);
      return run.made(typeof value === 'string' || isArray(value) ? [...names, 'length'] : names);
    },
    hasOwn: (run, [value, key]) => isOwnMember(run, value, toKey(run, key)),
    is: (_run, [a, b]) => Object.is(a, b),
    isExtensible: (_run, [value]) => typeof value === 'object' && value !== null,
    isFrozen: () => false,
    isSealed: () => false,
    preventExtensions: (_run, [value]) => value,
    seal: (_run, [value]) => value,
    keys: (run, [value]) => run.made(entriesOf(run, value).map(([key]) => key)),
    values: (run, [value]) => run.made(entriesOf(run, value).map(([, entry]) => entry)),
  }),
});
