import type { MethodTable } from '../method';
import { arrayExtensions } from './array';
import { booleanExtensions } from './generic';
import { dateExtensions } from './date';
import { numberExtensions } from './number';
import { objectExtensions } from './object';
import { stringExtensions } from './string';

const TYPES: readonly (readonly [string, MethodTable])[] = [
  ['String', stringExtensions],
  ['Number', numberExtensions],
  ['Array', arrayExtensions],
  ['Date', dateExtensions],
  ['Object', objectExtensions],
  ['Boolean', booleanExtensions],
];

/** By name of an extension method: the types that have it. Serves the message for a call on any other type. */
export const EXTENSION_OWNERS: ReadonlyMap<string, readonly string[]> = new Map(
  [...new Set(TYPES.flatMap(([, table]) => [...table.keys()]))].map((name) => [
    name,
    TYPES.filter(([, table]) => table.has(name)).map(([type]) => type),
  ]),
);
