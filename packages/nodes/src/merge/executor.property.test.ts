import fc from 'fast-check';
import type { Json, JsonObject } from '@weft/node-catalogue';
import type { PairedItem } from '@weft/engine';
import { runKind } from '../testing/cases/run-kind';

/** Items of two inputs: `k` is the field to match, `one` and `two` identify every item. */
interface Inputs {
  readonly first: JsonObject[];
  readonly second: JsonObject[];
}

// Version 1 does not match zero.
const keys = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 7 });
const twoInputs: fc.Arbitrary<Inputs> = fc.tuple(keys, keys).map(([one, two]) => ({
  first: one.map((k, n) => ({ k, one: n })),
  second: two.map((k, n) => ({ k, two: n })),
}));

interface Mode {
  readonly name: string;
  readonly version: number;
  readonly parameters: JsonObject;
  /** Number of output items. */
  readonly count: (inputs: Inputs) => number;
}

const byKey: JsonObject = { mergeByFields: { values: [{ field1: 'k', field2: 'k' }] } };
const has = (list: readonly JsonObject[], item: JsonObject): boolean => list.some((other) => other['k'] === item['k']);
const matches = ({ first, second }: Inputs): number =>
  first.reduce((sum, item) => sum + second.filter((other) => other['k'] === item['k']).length, 0);
const lonely = (of: readonly JsonObject[], among: readonly JsonObject[]): number =>
  of.filter((item) => !has(among, item)).length;

const newer = (parameters: JsonObject, name: string, count: Mode['count']): Mode[] =>
  [3, 3.1, 3.2].map((version) => ({ name, version, parameters, count }));
const older = (parameters: JsonObject, name: string, count: Mode['count']): Mode[] =>
  [2, 2.1].map((version) => ({ name, version, parameters, count }));
const shortest = ({ first, second }: Inputs): number => Math.min(first.length, second.length);
const longest = ({ first, second }: Inputs): number => Math.max(first.length, second.length);
const everything = (inputs: Inputs): number =>
  matches(inputs) + lonely(inputs.first, inputs.second) + lonely(inputs.second, inputs.first);
const JOINS: readonly [string, Mode['count']][] = [
  ['keepMatches', matches],
  ['keepNonMatches', (inputs) => lonely(inputs.first, inputs.second) + lonely(inputs.second, inputs.first)],
  ['keepEverything', everything],
  ['enrichInput1', (inputs) => matches(inputs) + lonely(inputs.first, inputs.second)],
  ['enrichInput2', (inputs) => matches(inputs) + lonely(inputs.second, inputs.first)],
];

const MODES: readonly Mode[] = [
  ...newer({}, 'append', ({ first, second }) => first.length + second.length),
  ...newer({ mode: 'combine', combineBy: 'combineByPosition' }, 'position', shortest),
  ...newer(
    { mode: 'combine', combineBy: 'combineByPosition', options: { includeUnpaired: true } },
    'position with unpaired items',
    longest,
  ),
  ...newer(
    { mode: 'combine', combineBy: 'combineAll' },
    'all with all',
    ({ first, second }) => first.length * second.length,
  ),
  ...newer({ mode: 'chooseBranch', useDataOfInput: 2 }, 'branch', ({ second }) => second.length),
  ...JOINS.flatMap(([joinMode, count]) =>
    newer({ mode: 'combine', fieldsToMatchString: 'k', joinMode }, joinMode, count),
  ),
  ...older({}, 'append', ({ first, second }) => first.length + second.length),
  ...older({ mode: 'combine', combinationMode: 'mergeByPosition' }, 'position', shortest),
  ...older(
    { mode: 'combine', combinationMode: 'multiplex' },
    'all with all',
    ({ first, second }) => first.length * second.length,
  ),
  ...JOINS.flatMap(([joinMode, count]) => older({ mode: 'combine', ...byKey, joinMode }, joinMode, count)),
  { name: 'append', version: 1, parameters: {}, count: ({ first, second }) => first.length + second.length },
  { name: 'index, inner', version: 1, parameters: { mode: 'mergeByIndex', join: 'inner' }, count: shortest },
  {
    name: 'index, left',
    version: 1,
    parameters: { mode: 'mergeByIndex', join: 'left' },
    count: ({ first }) => first.length,
  },
  { name: 'index, outer', version: 1, parameters: { mode: 'mergeByIndex', join: 'outer' }, count: longest },
  {
    name: 'multiplex',
    version: 1,
    parameters: { mode: 'multiplex' },
    count: ({ first, second }) => first.length * second.length,
  },
  {
    name: 'matching keys',
    version: 1,
    parameters: { mode: 'keepKeyMatches', propertyName1: 'k', propertyName2: 'k' },
    count: ({ first, second }) => first.length - lonely(first, second),
  },
  {
    name: 'keys without a match',
    version: 1,
    parameters: { mode: 'removeKeyMatches', propertyName1: 'k', propertyName2: 'k' },
    count: ({ first, second }) => lonely(first, second),
  },
];

/** The items that an item is linked to. */
function partsOf(
  links: PairedItem | readonly PairedItem[] | number | undefined,
  { first, second }: Inputs,
): JsonObject[] {
  const list = links === undefined ? [] : Array.isArray(links) ? links : [links];
  return list.map((one: PairedItem | number) => {
    const { item, input = 0 } = typeof one === 'number' ? { item: one } : one;
    const part = [first, second][input]?.[item];
    if (part === undefined) throw new Error(`There is no item ${item} of input ${input}.`);
    return part;
  });
}

const without = (json: Json | undefined, name: string): Json | undefined =>
  typeof json === 'object' && json !== null && !Array.isArray(json)
    ? Object.fromEntries(Object.entries(json).filter(([key]) => key !== name))
    : json;

describe('merge, for any input', () => {
  it.each(MODES.map((mode): [number, string, Mode] => [mode.version, mode.name, mode]))(
    '%s by %s outputs the expected number of items, each made only from the items it is linked to',
    async (version, _name, { parameters, count }) => {
      await fc.assert(
        fc.asyncProperty(twoInputs, async (inputs) => {
          const given = structuredClone(inputs);
          const { items, error } = await runKind('merge', {
            version,
            inputs: [inputs.first, inputs.second],
            parameters,
          });
          expect(error).toBeUndefined();
          expect(items[0] ?? []).toHaveLength(count(inputs));
          for (const item of items[0] ?? []) {
            const parts = partsOf(item.pairedItem, inputs);
            expect(parts.length).toBeGreaterThan(0);
            expect(without(item.json, '_source')).toEqual(
              Object.assign({}, ...parts.map((part) => ({ ...part, k: item.json['k'] }))),
            );
            expect(parts.map((part) => part['k'])).toContain(item.json['k']);
          }
          expect(inputs).toEqual(given);
        }),
        { numRuns: 30 },
      );
    },
  );
});
