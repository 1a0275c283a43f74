import type { Json, JsonObject } from '@weft/node-catalogue';
import { runKind } from '../testing/cases/run-kind';

const items = [
  { n: 1, s: 'a' },
  { n: 5, s: 'B' },
  { n: 9, s: 'c' },
];
const condition = (leftValue: Json, operation: string, rightValue: Json, type = 'number'): JsonObject => ({
  id: 'c',
  leftValue,
  rightValue,
  operator: { type, operation },
});
const filter = (...conditions: JsonObject[]): JsonObject => ({
  combinator: 'and',
  conditions,
  options: { caseSensitive: true, typeValidation: 'strict', version: 2 },
});

describe('if from version 2 on', () => {
  it.each([2, 2.1, 2.2, 2.3])('version %s sends each item to one of two outputs, linked to itself', async (version) => {
    const { outputs, items: given } = await runKind('if', {
      version,
      items,
      parameters: { conditions: filter(condition('={{ $json.n }}', 'gt', 3)) },
    });
    expect(outputs).toEqual([[items[1], items[2]], [items[0]]]);
    expect(given.map((list) => list.map((item) => item.pairedItem))).toEqual([
      [{ item: 1 }, { item: 2 }],
      [{ item: 0 }],
    ]);
  });

  it('passes every item through an empty filter', async () => {
    expect((await runKind('if', { version: 2.2, items })).outputs).toEqual([items, []]);
  });

  it('fails on a wrong type in strict mode, and sends the item to the second output if it continues', async () => {
    const parameters = { conditions: filter(condition('={{ $json.s }}', 'gt', 3)) };
    expect((await runKind('if', { version: 2.2, items, parameters })).error?.message).toBe(
      "Wrong type: 'a' is a string but was expecting a number [condition 0, item 0]",
    );
    expect(
      (await runKind('if', { version: 2.2, items, parameters, node: { onError: 'continueErrorOutput' } })).outputs,
    ).toEqual([[], items, []]);
  });

  it('converts types if configured, in either place', async () => {
    const conditions = { combinator: 'and', conditions: [condition('={{ $json.n }}', 'equals', '5', 'string')] };
    expect(
      (await runKind('if', { version: 2, items, parameters: { conditions, options: { looseTypeValidation: true } } }))
        .outputs[0],
    ).toEqual([items[1]]);
    expect(
      (await runKind('if', { version: 2.2, items, parameters: { conditions, looseTypeValidation: true } })).outputs[0],
    ).toEqual([items[1]]);
  });

  it('ignores case only if configured, where the filter itself does not decide', async () => {
    const conditions = { combinator: 'and', conditions: [condition('={{ $json.s }}', 'equals', 'b', 'string')] };
    const outputFor = async (options: JsonObject) =>
      (await runKind('if', { version: 2.2, items, parameters: { conditions, options } })).outputs[0];
    expect(await outputFor({})).toEqual([]);
    expect(await outputFor({ ignoreCase: false })).toEqual([]);
    expect(await outputFor({ ignoreCase: true })).toEqual([items[1]]);
  });
});

describe('if of version 1', () => {
  const run = (conditions: JsonObject, over: JsonObject = {}) =>
    runKind('if', { version: 1, items, parameters: { conditions, ...over } });

  it('requires all conditions of all types to hold, or any one', async () => {
    const conditions = {
      number: [{ value1: '={{ $json.n }}', operation: 'larger', value2: 3 }],
      string: [{ value1: '={{ $json.s }}', value2: 'c' }],
    };
    expect((await run(conditions)).outputs).toEqual([[items[2]], [items[0], items[1]]]);
    expect((await run(conditions, { combineOperation: 'any' })).outputs).toEqual([[items[1], items[2]], [items[0]]]);
  });

  it('holds without conditions, unless any one must hold', async () => {
    expect((await run({})).outputs).toEqual([items, []]);
    expect((await run({}, { combineOperation: 'any' })).outputs).toEqual([[], items]);
  });

  it.each(['soon', '', null])('fails on the date %j', async (value1) => {
    expect((await run({ dateTime: [{ value1, value2: '2024-01-01' }] })).error?.message).toBe(
      `The value "${value1}" is not a valid DateTime.`,
    );
  });

  it('passes all items on if it continues on failure, even those that it could evaluate', async () => {
    const conditions = { dateTime: [{ value1: '={{ $json.n > 1 ? "soon" : "2024-01-01" }}', value2: '2025-01-01' }] };
    const parameters = { conditions };
    const result = await runKind('if', { version: 1, items, parameters, node: { onError: 'continueRegularOutput' } });
    expect(result.outputs).toEqual([items]);
  });

  it('reads dates without an offset in UTC, whatever the zone of the workflow', async () => {
    const conditions = { dateTime: [{ value1: '2024-01-01T10:00:00', value2: '2024-01-01T09:59:59Z' }] };
    const result = await runKind('if', { version: 1, items, parameters: { conditions }, timezone: 'Asia/Tokyo' });
    expect(result.outputs).toEqual([items, []]);
  });
});
