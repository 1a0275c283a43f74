import type { JsonObject } from '@weft/node-catalogue';
import { runKind } from '../testing/cases/run-kind';

/** Counts all reads of item fields, at any depth of the code. */
function counted(): { reads: number; watch: (json: JsonObject) => JsonObject } {
  const counter = { reads: 0, watch };
  function watch(json: JsonObject): JsonObject {
    return new Proxy(json, {
      get: (target, name, self) => {
        counter.reads += 1;
        return Reflect.get(target, name, self);
      },
      has: (target, name) => {
        counter.reads += 1;
        return Reflect.has(target, name);
      },
      ownKeys: (target) => {
        counter.reads += 1;
        return Reflect.ownKeys(target);
      },
      getOwnPropertyDescriptor: (target, name) => {
        counter.reads += 1;
        return Reflect.getOwnPropertyDescriptor(target, name);
      },
    });
  }
  return counter;
}

const rows = (count: number): JsonObject[] =>
  Array.from({ length: count }, (_, n) => ({ n, group: `g${n % 7}`, unique: `u${n}`, list: [n, n + 1] }));
const condition = {
  combinator: 'and',
  conditions: [{ leftValue: '={{ $json.n }}', rightValue: 3, operator: { type: 'number', operation: 'gt' } }],
};

interface Row {
  readonly kind: string;
  readonly parameters: JsonObject;
  readonly inputs?: number;
  /** Kinds whose cost necessarily grows more than proportionally: sorting. */
  readonly allowed?: number;
}
const combine = { mode: 'combine' };
const ROWS: readonly Row[] = [
  {
    kind: 'set',
    parameters: {
      includeOtherFields: true,
      assignments: { assignments: [{ name: 'x', type: 'number', value: '={{ $json.n + 1 }}' }] },
    },
  },
  {
    kind: 'set',
    parameters: {
      assignments: { assignments: [{ name: 'x', type: 'number', value: "={{ $('Source 0').item.json.n }}" }] },
    },
  },
  { kind: 'if', parameters: { conditions: condition } },
  { kind: 'filter', parameters: { conditions: condition } },
  { kind: 'switch', parameters: { rules: { values: [{ conditions: condition }, { conditions: condition }] } } },
  {
    kind: 'sort',
    parameters: { sortFieldsUi: { sortField: [{ fieldName: 'unique', order: 'descending' }] } },
    allowed: 2,
  },
  { kind: 'limit', parameters: { maxItems: 5 } },
  { kind: 'splitOut', parameters: { fieldToSplitOut: 'list', include: 'allOtherFields' } },
  { kind: 'aggregate', parameters: { fieldsToAggregate: { fieldToAggregate: [{ fieldToAggregate: 'n' }] } } },
  { kind: 'aggregate', parameters: { aggregate: 'aggregateAllItemData' } },
  {
    kind: 'summarize',
    parameters: { fieldsToSummarize: { values: [{ aggregation: 'sum', field: 'n' }] }, fieldsToSplitBy: 'group' },
  },
  {
    kind: 'summarize',
    parameters: {
      fieldsToSummarize: { values: [{ aggregation: 'countUnique', field: 'unique' }] },
      fieldsToSplitBy: 'unique',
    },
  },
  { kind: 'removeDuplicates', parameters: { compare: 'selectedFields', fieldsToCompare: 'unique' } },
  { kind: 'removeDuplicates', parameters: {} },
  { kind: 'renameKeys', parameters: { keys: { key: [{ currentKey: 'n', newKey: 'm' }] } } },
  { kind: 'merge', parameters: {}, inputs: 2 },
  { kind: 'merge', parameters: { ...combine, combineBy: 'combineByPosition' }, inputs: 2 },
  { kind: 'merge', parameters: { ...combine, fieldsToMatchString: 'unique' }, inputs: 2 },
  {
    kind: 'merge',
    parameters: {
      ...combine,
      fieldsToMatchString: 'unique',
      joinMode: 'keepEverything',
      options: { fuzzyCompare: true },
    },
    inputs: 2,
  },
  {
    kind: 'compareDatasets',
    parameters: { mergeByFields: { values: [{ field1: 'unique', field2: 'unique' }] } },
    inputs: 2,
  },
];

describe('the cost of a node', () => {
  const readsFor = async ({ kind, parameters, inputs = 1 }: Row, count: number): Promise<number> => {
    const counter = counted();
    const { error } = await runKind(kind, {
      parameters,
      inputs: Array.from({ length: inputs }, () => rows(count)),
      watch: counter.watch,
    });
    expect(error).toBeUndefined();
    return counter.reads;
  };

  it.each(ROWS.map((row): [string, string, Row] => [row.kind, JSON.stringify(row.parameters).slice(0, 100), row]))(
    'of kind %s with %s grows no faster than its items',
    async (_kind, _parameters, row) => {
      const [small, large] = [await readsFor(row, 100), await readsFor(row, 1_000)];
      expect(large).toBeLessThanOrEqual(small * 10 * (row.allowed ?? 1.2));
    },
  );

  it('is distinguished from quadratic growth', async () => {
    const square = async (count: number): Promise<number> => {
      const counter = counted();
      const list = rows(count).map(counter.watch);
      list.forEach((one) => list.findIndex((other) => other['unique'] === one['unique']));
      return counter.reads;
    };
    expect(await square(1_000)).toBeGreaterThan((await square(100)) * 10 * 2);
  });
});
