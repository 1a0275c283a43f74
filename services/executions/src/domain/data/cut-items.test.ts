import fc from 'fast-check';
import { RecordCutter, type ItemPage } from './cut-items';

const ALL: ItemPage = { output: 0, offset: 0, limit: 1_000, maxItemBytes: 1_000_000 };

/** Scans a text in pieces that end at these positions. */
const cut = (text: string, ends: readonly number[], page?: ItemPage) => {
  const bytes = Buffer.from(text);
  const cutter = new RecordCutter(page);
  const items: string[] = [];
  let from = 0;
  for (const end of [...ends.map((one) => one % (bytes.length + 1)).sort((one, other) => one - other), bytes.length]) {
    if (end > from) for (const item of cutter.write(bytes.subarray(from, end))) items.push(item.toString());
    from = Math.max(from, end);
  }
  return { items: items.map((item): unknown => JSON.parse(item)), counts: [...cutter.counts], rest: cutter.restJson };
};

const texts = fc.string({ unit: fc.constantFrom('[', ']', '{', '}', ',', ':', '"', '\\', 'a', '\n', 'é', '😀', ' ') });
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    texts,
    fc.nat(),
    fc.constantFrom(null, true, 1.5e10),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.oneof(texts, fc.constantFrom('data', 'main', 'json')), tie('value'), { maxKeys: 3 }),
  ),
}));
const records = fc.record({
  head: fc.dictionary(fc.oneof(texts, fc.constantFrom('main', 'source')), value, { maxKeys: 3 }),
  outputs: fc.array(fc.oneof(fc.constant(null), fc.array(value, { maxLength: 5 })), { maxLength: 3 }),
  type: fc.constantFrom('main', 'ai_tool'),
  others: fc.dictionary(fc.constantFrom('aix', 'x'), value, { maxKeys: 2 }),
  tail: fc.dictionary(texts, value, { maxKeys: 2 }),
  ends: fc.array(fc.nat(), { maxLength: 20 }),
  space: fc.constantFrom(undefined, 1),
});

describe('the items of a record', () => {
  it('are those that JSON.parse finds, wherever the pieces end', () => {
    fc.assert(
      fc.property(
        records,
        fc.nat({ max: 3 }),
        fc.nat({ max: 3 }),
        ({ head, outputs, type, others, tail, ...how }, output, at) => {
          fc.pre(
            ![head, tail].some((part) => 'data' in part || Object.keys(part).some((key) => key in Object.prototype)),
          );
          const text = JSON.stringify({ ...head, data: { ...others, [type]: outputs }, ...tail }, undefined, how.space);
          const { items, counts, rest } = cut(text, how.ends, { ...ALL, output, offset: at, limit: 2 });
          expect(items).toEqual((outputs[output] ?? []).slice(at, at + 2));
          expect(outputs.map((_, index) => counts[index] ?? 0)).toEqual(outputs.map((list) => list?.length ?? 0));
          expect(rest).toBe('{}');
          const skeleton = cut(text, how.ends);
          expect(JSON.parse(skeleton.rest)).toEqual(JSON.parse(JSON.stringify({ ...head, ...tail })));
          expect(skeleton.items).toEqual([]);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('are truncated if they are too long, without half a character', () => {
    const long = { json: { a: 'ü'.repeat(10_000) } };
    const text = JSON.stringify({ data: { main: [[{ json: {} }, long, { json: { b: 1 } }]] } });
    const { items, counts } = cut(text, [3_000, 9_000], { ...ALL, maxItemBytes: 5_000 });
    expect(items).toEqual([
      { json: {} },
      {
        truncated: true,
        bytes: Buffer.byteLength(JSON.stringify(long)),
        text: expect.stringMatching(/^\{"json":\{"a":"ü+$/),
      },
      { json: { b: 1 } },
    ]);
    const [, shown] = items;
    expect(Buffer.byteLength(String(Object(shown).text))).toBeGreaterThan(4_000);
    expect(counts).toEqual([3]);
  });

  it('leave the other members, of which long ones are truncated', () => {
    const text = JSON.stringify({
      startTime: 1,
      error: { message: 'x'.repeat(100_000) },
      data: { main: [] },
      hints: [],
    });
    expect(JSON.parse(cut(text, [20, 50_000]).rest)).toEqual({
      startTime: 1,
      error: { truncated: true, bytes: expect.any(Number) },
      hints: [],
    });
  });

  it('need no memory for those that are not on the page', () => {
    const item = Buffer.from(`{"json":{"a":"${'x'.repeat(1_000)}"}},`);
    const head = Buffer.from('{"data":{"main":[[');
    const body = Buffer.concat(Array<Buffer>(4_000).fill(item));
    const cutter = new RecordCutter({ ...ALL, limit: 50 });
    cutter.write(head);
    const began = performance.now();
    let found = 0;
    for (let piece = 0; piece < 8; piece += 1) found += cutter.write(body).length;
    cutter.write(Buffer.from('1]]}}'));
    expect([found, cutter.counts]).toEqual([50, [32_001]]);
    // 32 MB.
    expect(performance.now() - began).toBeLessThan(1_000);
  });
});
