import type { BuiltIns } from '../prelude/built-ins';

// The functions of this realm, not of the realm that is checked, and saved before any code runs: a check that used a
// function of the realm, even an iterator, would run what the code has put there.
const {
  apply,
  defineProperty,
  deleteProperty,
  get: getProperty,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  isExtensible,
  ownKeys,
} = Reflect;
const { freeze, seal } = Object;
const { has: hasOf } = Set.prototype;

/**
 * Constructors whose prototypes have fast paths for their shape in V8: sealed they would be three times slower. Instead
 * their property descriptors are compared.
 */
const KNOWN_SHAPES = ['Array', 'Map', 'Object', 'Promise', 'RegExp', 'Set', 'String'] as const;

/** An assignable value of a sealed object. */
interface Slot {
  readonly object: object;
  readonly key: PropertyKey;
  readonly value: unknown;
}

/** The original properties of an object that is not sealed. */
interface Shape {
  readonly object: object;
  readonly prototype: object | null;
  readonly properties: readonly Property[];
}

interface Property {
  readonly key: PropertyKey;
  readonly was: PropertyDescriptor;
}

/**
 * Lets code share a realm with later code: functions of the language and of the prelude are frozen, and of all other
 * reachable objects only values can change, which is checked afterwards, from outside.
 * @returns a function that removes the names of a run and the engine's leftovers. It returns false if the realm could
 * not be restored; it must not be used any more
 */
export function hardenRealm({ global, nameless, pattern, exec }: BuiltIns): () => boolean {
  const slots: Slot[] = [];
  const shapes: Shape[] = [];
  const { names, lazy } = fixGlobals(global);
  const prototype = getPrototypeOf(global);
  const known = new Set(KNOWN_SHAPES.map((name) => memberOf(memberOf(global, name), 'prototype')));
  const functions = memberOf(memberOf(global, 'Function'), 'prototype');
  for (const object of reachable(global, nameless)) {
    if (typeof object === 'function' && object !== functions) {
      freeze(object);
      continue;
    }
    if (known.has(object)) {
      shapes.push({ object, prototype: getPrototypeOf(object), properties: propertiesOf(object) });
      continue;
    }
    seal(object);
    for (const { key, was } of propertiesOf(object))
      if (was.writable === true) slots.push({ object, key, value: was.value });
  }
  return () => {
    if (!isExtensible(global) || getPrototypeOf(global) !== prototype) return false;
    const all = ownKeys(global);
    for (let at = 0; at < all.length; at += 1) {
      const name = all[at];
      if (name !== undefined && !isIn(names, name) && !deleteProperty(global, name)) return false;
    }
    for (let at = 0; at < lazy.length; at += 1) {
      const property = lazy[at];
      if (property !== undefined && !isSame(global, property)) return false;
    }
    for (let at = 0; at < slots.length; at += 1) {
      const slot = slots[at];
      if (slot !== undefined && getOwnPropertyDescriptor(slot.object, slot.key)?.value !== slot.value) return false;
    }
    for (let at = 0; at < shapes.length; at += 1) {
      const shape = shapes[at];
      if (shape !== undefined && !isAsItWas(shape)) return false;
    }
    // The engine keeps the last match for `RegExp.$1`.
    apply(exec, pattern, ['']);
    return true;
  };
}

const isIn = (names: ReadonlySet<PropertyKey>, name: PropertyKey): unknown => apply(hasOf, names, [name]);

function isAsItWas({ object, prototype, properties }: Shape): boolean {
  if (!isExtensible(object) || getPrototypeOf(object) !== prototype) return false;
  if (ownKeys(object).length !== properties.length) return false;
  for (let at = 0; at < properties.length; at += 1) {
    const property = properties[at];
    if (property !== undefined && !isSame(object, property)) return false;
  }
  return true;
}

/** True if a property is what it was: the same value or accessors, by identity, with the same attributes. */
function isSame(object: object, { key, was }: Property): boolean {
  const is = getOwnPropertyDescriptor(object, key);
  return (
    is !== undefined &&
    is.value === was.value &&
    is.get === was.get &&
    is.set === was.set &&
    is.writable === was.writable &&
    is.configurable === was.configurable &&
    is.enumerable === was.enumerable
  );
}

/** The global names before any run. */
interface Globals {
  readonly names: ReadonlySet<PropertyKey>;
  /** Names whose values are created on first access, with their accessors. */
  readonly lazy: readonly Property[];
}

/** Makes the global names final, except those whose values are created on first access. */
function fixGlobals(global: object): Globals {
  const all = propertiesOf(global);
  for (const { key, was } of all)
    if (was.get === undefined && was.configurable === true)
      defineProperty(global, key, { writable: false, configurable: false });
  return { names: new Set(all.map(({ key }) => key)), lazy: all.filter(({ was }) => was.get !== undefined) };
}

const propertiesOf = (object: object): Property[] =>
  ownKeys(object).flatMap((key) => {
    const was = getOwnPropertyDescriptor(object, key);
    return was === undefined ? [] : [{ key, was }];
  });

/** All objects reachable from the global names and from nameless built-ins, without the global object. */
function reachable(global: object, nameless: readonly unknown[]): ReadonlySet<object> {
  const found = new Set<object>();
  const left: unknown[] = [getPrototypeOf(global), ...nameless];
  for (const { was } of propertiesOf(global)) left.push(was.value, was.get, was.set);
  while (left.length > 0) {
    const value = left.pop();
    if (!isObject(value) || value === global || found.has(value)) continue;
    found.add(value);
    left.push(getPrototypeOf(value));
    for (const { was } of propertiesOf(value)) left.push(was.value, was.get, was.set);
  }
  return found;
}

const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

const memberOf = (value: unknown, name: string): unknown => (isObject(value) ? getProperty(value, name) : undefined);
