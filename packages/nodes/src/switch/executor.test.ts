import type { JsonObject } from '@weft/node-catalogue';
import type { KindRun } from '../testing/cases/run-kind';
import { runKind } from '../testing/cases/run-kind';

const items = [{ n: 1 }, { n: 5 }, { n: 50 }];
const rule = (operation: string, value: number): JsonObject => ({
  conditions: {
    combinator: 'and',
    conditions: [{ leftValue: '={{ $json.n }}', rightValue: value, operator: { type: 'number', operation } }],
    options: { typeValidation: 'strict' },
  },
});
const run = (parameters: JsonObject, over: KindRun = {}) =>
  runKind('switch', { version: 3.2, items, parameters, ...over });
const rules = { rules: { values: [rule('gt', 3), rule('gt', 10)] } };

describe('switch from version 3 on', () => {
  it.each([3, 3.1, 3.2, 3.3, 3.4])('version %s sends an item to the first rule that holds', async (version) => {
    const { outputs, items: given } = await run(rules, { version });
    expect(outputs).toEqual([[{ n: 5 }, { n: 50 }], []]);
    expect(given[0]?.map((item) => item.pairedItem)).toEqual([{ item: 1 }, { item: 2 }]);
  });

  it('sends it to all that hold if configured', async () => {
    expect((await run({ ...rules, options: { allMatchingOutputs: true } })).outputs).toEqual([
      [{ n: 5 }, { n: 50 }],
      [{ n: 50 }],
    ]);
  });

  it('sends items that match no rule nowhere, to an extra output, or to a selected one', async () => {
    expect((await run({ ...rules, options: { fallbackOutput: 'none' } })).outputs.flat()).not.toContainEqual({ n: 1 });
    expect((await run({ ...rules, options: { fallbackOutput: 'extra' } })).outputs).toEqual([
      [{ n: 5 }, { n: 50 }],
      [],
      [{ n: 1 }],
    ]);
    expect((await run({ ...rules, options: { fallbackOutput: 1 } })).outputs).toEqual([
      [{ n: 5 }, { n: 50 }],
      [{ n: 1 }],
    ]);
  });

  it('reads the number of the output from an expression', async () => {
    const parameters = { mode: 'expression', numberOutputs: 2, output: '={{ $json.n > 3 ? 1 : 0 }}' };
    expect((await run(parameters)).outputs).toEqual([[{ n: 1 }], [{ n: 5 }, { n: 50 }]]);
    expect((await run({ ...parameters, output: '={{ 7 }}' })).error).toMatchObject({
      message: 'The ouput 7 is not allowed',
      description: 'Outputs are counted from 0: use one between 0 and 1.',
    });
    expect((await run({ ...parameters, output: '={{ 2 }}' })).error?.message).toBe('The ouput 2 is not allowed. ');
  });

  it('sends nothing to an extra output if there are no rules', async () => {
    expect((await run({ rules: { values: [] }, options: { fallbackOutput: 'extra' } })).outputs).toEqual([[]]);
  });

  it('puts the error output after those of its rules', async () => {
    const { outputs } = await run(
      { ...rules, options: { fallbackOutput: 'extra' } },
      { items: [{ n: 'x' }], node: { onError: 'continueErrorOutput' } },
    );
    expect(outputs.map((list) => list.length)).toEqual([0, 0, 0, 1]);
    expect(outputs[3]).toEqual([{ error: expect.stringContaining('Wrong type') }]);
  });
});

describe('switch before version 3', () => {
  const older = {
    dataType: 'number',
    value1: '={{ $json.n }}',
    rules: {
      rules: [
        { operation: 'equal', value2: 5, output: 2 },
        { operation: 'larger', value2: 3, output: 1 },
      ],
    },
  };

  it('has four outputs in version 1, selected by the rules', async () => {
    expect((await run(older, { version: 1 })).outputs).toEqual([[], [{ n: 50 }], [{ n: 5 }], []]);
    expect((await run({ ...older, fallbackOutput: 3 }, { version: 1 })).outputs[3]).toEqual([{ n: 1 }]);
  });

  it('has one for each rule in version 2, and an extra one if configured', async () => {
    expect((await run(older, { version: 2 })).outputs).toEqual([[{ n: 5 }], [{ n: 50 }]]);
    expect((await run({ ...older, fallbackOutput: 'extra' }, { version: 2 })).outputs).toEqual([
      [{ n: 5 }],
      [{ n: 50 }],
      [{ n: 1 }],
    ]);
  });

  it.each([1, 2])('compares false, 0 and an empty string by default in version %d', async (version) => {
    for (const [dataType, value2] of [
      ['boolean', false],
      ['number', 0],
      ['string', ''],
    ] as const) {
      const { outputs } = await run({ dataType, rules: { rules: [{ operation: 'equal', value2 }] } }, { version });
      expect(outputs[0]).toHaveLength(items.length);
    }
  });

  it('compares strings and dates too', async () => {
    const texts = {
      dataType: 'string',
      value1: '={{ $json.s }}',
      rules: { rules: [{ value2: 'a' }, { operation: 'contains', value2: 'b' }] },
    };
    expect((await run(texts, { version: 2, items: [{ s: 'abc' }, { s: 'a' }] })).outputs).toEqual([
      [{ s: 'a' }],
      [{ s: 'abc' }],
    ]);
    const dates = { dataType: 'dateTime', value1: '={{ $json.d }}', rules: { rules: [{ value2: '2024-01-01' }] } };
    expect((await run(dates, { version: 2, items: [{ d: '2025-01-01' }, { d: '2023-01-01' }] })).outputs).toEqual([
      [{ d: '2025-01-01' }],
    ]);
  });

  it('reads the number of the output from an expression', async () => {
    expect((await run({ mode: 'expression', output: '={{ 3 }}' }, { version: 1, items: [{}] })).outputs).toEqual([
      [],
      [],
      [],
      [{}],
    ]);
    const second = { mode: 'expression', outputsAmount: 2, output: '={{ 1 }}' };
    expect((await run(second, { version: 2, items: [{}] })).outputs).toEqual([[], [{}]]);
    expect((await run({ ...second, output: '={{ 4 }}' }, { version: 2 })).error?.message).toBe(
      'The ouput 4 is not allowed. It has to be between 0 and 1!',
    );
  });
});
