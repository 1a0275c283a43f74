import type { Json, JsonObject } from '@weft/node-catalogue';
import type { KindRun } from '../testing/cases/run-kind';
import { outputOf, runKind } from '../testing/cases/run-kind';

const item = { a: { b: 1, c: 2 }, d: 'x', e: null };
const assign = (...fields: [name: string, type: string, value: Json][]): JsonObject => ({
  assignments: { assignments: fields.map(([name, type, value], id) => ({ id: String(id), name, type, value })) },
});
const set = (parameters: JsonObject, over: KindRun = {}) =>
  outputOf('set', { version: 3.4, items: [item], parameters, ...over });

describe('set from 3.3 on', () => {
  it.each([3.3, 3.4])('version %s creates a new item from each, linked to it', async (version) => {
    const { items } = await runKind('set', {
      version,
      items: [{ n: 1 }, { n: 2 }],
      parameters: assign(['m', 'number', '={{ $json.n * 10 }}'], ['b.c', 'string', 'x']),
    });
    expect(items).toEqual([
      [
        { json: { m: 10, b: { c: 'x' } }, pairedItem: { item: 0 } },
        { json: { m: 20, b: { c: 'x' } }, pairedItem: { item: 1 } },
      ],
    ]);
  });

  it('includes other fields as configured', async () => {
    const one = assign(['d', 'string', 'y']);
    expect(await set(one)).toEqual([{ d: 'y' }]);
    expect(await set({ ...one, includeOtherFields: true })).toEqual([{ ...item, d: 'y' }]);
    expect(await set({ ...one, includeOtherFields: true, include: 'selected', includeFields: 'a.b, e' })).toEqual([
      { b: 1, e: null, d: 'y' },
    ]);
    const literal = { options: { dotNotation: false } };
    expect(
      await set({ ...one, ...literal, includeOtherFields: true, include: 'selected', includeFields: 'a.b, e' }),
    ).toEqual([{ e: null, d: 'y' }]);
    expect(await set({ ...one, includeOtherFields: true, include: 'except', excludeFields: 'a.b,e' })).toEqual([
      { a: { c: 2 }, d: 'y' },
    ]);
  });

  it('does not split names without dot notation', async () => {
    expect(await set({ ...assign(['q.r', 'string', '1']), options: { dotNotation: false } })).toEqual([{ 'q.r': '1' }]);
    expect(await set({ ...assign(['a.x', 'string', '1']), includeOtherFields: true })).toEqual([
      { ...item, a: { b: 1, c: 2, x: '1' } },
    ]);
  });

  it('converts values to their declared type', async () => {
    expect(
      await set(
        assign(
          ['s', 'string', '={{ $json.a }}'],
          ['n', 'number', '12'],
          ['t', 'boolean', 'true'],
          ['l', 'array', '[1]'],
          ['o', 'object', "{k: 'v'}"],
          ['none', 'string', '={{ $json.zzz }}'],
        ),
      ),
    ).toEqual([{ s: '{"b":1,"c":2}', n: 12, t: true, l: [1], o: { k: 'v' }, none: null }]);
  });

  it('adds the files of binary fields to an item, by name or by an expression', async () => {
    const file = { id: 'f1', mimeType: 'text/plain', fileSize: 2 };
    const parameters = assign(
      ['copy', 'binary', 'data'],
      ['other', 'binary', '={{ $binary.data }}'],
      ['n', 'number', 1],
    );
    const { items } = await runKind('set', { version: 3.4, items: [{}], binary: { data: file }, parameters });
    expect(items).toEqual([[{ json: { n: 1 }, binary: { copy: file, other: file }, pairedItem: { item: 0 } }]]);
    const failed = await runKind('set', {
      version: 3.4,
      items: [{}],
      binary: { data: file },
      parameters: assign(['copy', 'binary', 'nope']),
    });
    expect(failed.error).toMatchObject({
      message: 'The item has no file under "nope"',
      description: 'The item has files under: data.',
    });
    await expect(set(assign(['copy', 'binary', '={{ 7 }}']))).rejects.toThrow(
      'The value of a binary field is not a file',
    );
  });

  it('fails on a value of another type, unless configured to ignore it', async () => {
    const wrong = assign(['n', 'number', 'abc']);
    await expect(set(wrong)).rejects.toThrow("'n' expects a number but we got 'abc' [item 0]");
    expect(await set({ ...wrong, options: { ignoreConversionErrors: true } })).toEqual([{ n: 'abc' }]);
  });

  it('outputs the error as the item if it continues', async () => {
    expect(await set(assign(['n', 'number', 'abc']), { node: { onError: 'continueRegularOutput' } })).toEqual([
      { error: "'n' expects a number but we got 'abc' [item 0]", pairedItem: { item: 0 } },
    ]);
  });

  it('does not change the item it came from', async () => {
    const { record } = await runKind('set', {
      version: 3.4,
      items: [item],
      parameters: { ...assign(['a.b', 'number', 9]), includeOtherFields: true },
    });
    expect(record?.data?.main?.[0]?.[0]?.json).toEqual({ ...item, a: { b: 9, c: 2 } });
    expect(item.a.b).toBe(1);
  });

  it('repeats items only in manual runs', async () => {
    const parameters = { ...assign(['n', 'number', 1]), duplicateItem: true, duplicateCount: 2 };
    expect(await set(parameters)).toHaveLength(3);
    expect(await set(parameters, { mode: 'webhook' })).toHaveLength(1);
  });
});

describe('set with JSON', () => {
  it('accepts JSON and JavaScript literals', async () => {
    expect(await set({ mode: 'raw', jsonOutput: '{ "a": 1, "b": [2] }' })).toEqual([{ a: 1, b: [2] }]);
    expect(
      await set({
        mode: 'raw',
        jsonOutput: "{ a: 'x', }",
        includeOtherFields: true,
        include: 'selected',
        includeFields: 'd',
      }),
    ).toEqual([{ d: 'x', a: 'x' }]);
    expect(await set({ mode: 'raw', jsonOutput: '={{ $json.a }}' })).toEqual([{ b: 1, c: 2 }]);
    expect(await set({ mode: 'raw', jsonOutput: '={ "of": {{ $json.a }}, "d": "{{ $json.d }}" }' })).toEqual([
      { of: { b: 1, c: 2 }, d: 'x' },
    ]);
  });

  it.each([
    ['{ "a": ', 'contains invalid JSON'],
    ['[1]', 'does not contain a valid JSON object'],
    ['7', 'does not contain a valid JSON object'],
  ])('rejects %s', async (jsonOutput, text) => {
    await expect(set({ mode: 'raw', jsonOutput })).rejects.toThrow(`The 'JSON Output' in item 0 ${text}`);
  });
});

describe('set from 3 to 3.2', () => {
  const fields = (...values: JsonObject[]): JsonObject => ({ fields: { values } });
  const old = (parameters: JsonObject, version = 3.2) => set(parameters, { version });

  it('includes all fields by default', async () => {
    const one = fields({ name: 'd', stringValue: 'y' });
    expect(await old(one)).toEqual([{ ...item, d: 'y' }]);
    expect(await old({ ...one, include: 'none' })).toEqual([{ d: 'y' }]);
    expect(await old({ ...one, include: 'selected', includeFields: 'e' })).toEqual([{ e: null, d: 'y' }]);
  });

  it('finds a value under the name of its type', async () => {
    expect(
      await old({
        include: 'none',
        ...fields(
          { name: 'n', type: 'numberValue', numberValue: '2' },
          { name: 't', type: 'booleanValue', booleanValue: 'false' },
          { name: 'l', type: 'arrayValue', arrayValue: '[1]' },
          { name: 'o', type: 'objectValue', objectValue: '{"k":1}' },
          { name: 's', type: 'stringValue', stringValue: '={{ 1 }}' },
        ),
      }),
    ).toEqual([{ n: 2, t: false, l: [1], o: { k: 1 }, s: '1' }]);
  });

  it.each([3, 3.1, 3.2])('has a default value for each type in version %d', async (version) => {
    const values = ['stringValue', 'booleanValue', 'objectValue'].map((type) => ({ name: type, type }));
    expect(await old({ include: 'none', ...fields(...values) }, version)).toEqual([
      { stringValue: '', booleanValue: true, objectValue: {} },
    ]);
  });

  it('converts an empty value to a string in 3, fails in 3.1 and outputs null in 3.2', async () => {
    const nothing = { include: 'none', ...fields({ name: 's', stringValue: '={{ $json.zzz }}' }) };
    expect(await old(nothing, 3)).toEqual([{ s: 'undefined' }]);
    await expect(old(nothing, 3.1)).rejects.toThrow("'s' expects a string");
    expect(await old(nothing, 3.2)).toEqual([{ s: null }]);
  });
});

describe('set before 3', () => {
  const values = {
    values: {
      string: [{ name: 's', value: 'x' }, { value: 'y' }],
      number: [{ name: 'n', value: '12' }, { name: 'z' }],
      boolean: [{ name: 'a.b', value: true }],
    },
  };

  it('adds values by type, and includes the rest', async () => {
    expect(await set(values, { version: 1 })).toEqual([
      { ...item, s: 'x', propertyName: 'y', n: '12', z: 0, a: { b: true, c: 2 } },
    ]);
    expect(await set(values, { version: 2 })).toEqual([
      { ...item, s: 'x', propertyName: 'y', n: 12, z: 0, a: { b: true, c: 2 } },
    ]);
  });

  it.each([1, 2])('creates the containers on the path of a missing value (%s)', async (version) => {
    const names = ['x.y.z', 'm[1]', 'e.f', 'plain'];
    const string = names.map((name) => ({ name, value: '={{ $json.none }}' }));
    expect(await set({ values: { string } }, { version })).toEqual([{ ...item, x: { y: {} }, m: [null, null], e: {} }]);
    expect(await set({ values: { string }, options: { dotNotation: false } }, { version })).toEqual([item]);
  });

  it('includes only set fields if configured', async () => {
    expect(await set({ ...values, keepOnlySet: true, options: { dotNotation: false } }, { version: 1 })).toEqual([
      { s: 'x', propertyName: 'y', n: '12', z: 0, 'a.b': true },
    ]);
  });
});
