import fc from 'fast-check';
import { LineSplitter, NdjsonParser } from './line-splitter';
import { JsonRefused, readJson } from './read-json';
import { type SseEvent, SseParser } from './sse-parser';

const eventsOf = (chunks: readonly Uint8Array[]): SseEvent[] => {
  const parser = new SseParser();
  return [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
};

/** Bytes cut at the given places. */
const cut = (bytes: Uint8Array, places: readonly number[]): Uint8Array[] => {
  const at = [0, ...places.map((place) => place % (bytes.length + 1)).sort((one, other) => one - other), bytes.length];
  return at.slice(1).map((to, index) => bytes.subarray(at[index], to));
};

describe('server-sent events', () => {
  it.each<[string, string, SseEvent[]]>([
    ['an event with a name', 'event: a\ndata: 1\n\n', [{ event: 'a', data: '1' }]],
    ['data in several lines', 'data: 1\ndata:2\ndata\n\n', [{ event: '', data: '1\n2\n' }]],
    ['comments, ids and retry times', ': hi\nid: 1\nretry: 5\ndata: x\n\n: bye\n\n', [{ event: '', data: 'x' }]],
    ['an event without data', 'event: a\n\ndata: 1\n\n', [{ event: '', data: '1' }]],
    [
      'ends of lines of all kinds',
      'data: 1\r\n\r\ndata: 2\r\rdata: 3\n\n',
      ['1', '2', '3'].map((data) => ({ event: '', data })),
    ],
    ['a byte order mark', '\ufeffdata: 1\n\n', [{ event: '', data: '1' }]],
    [
      'an event without its empty line at the end',
      'data: 1\n\ndata: 2',
      ['1', '2'].map((data) => ({ event: '', data })),
    ],
    ['one space after the colon, and no more', 'data:  1\n\n', [{ event: '', data: ' 1' }]],
    ['nothing', '', []],
  ])('are parsed: %s', (_name, text, events) => {
    expect(eventsOf([Buffer.from(text)])).toEqual(events);
  });

  it('are the same wherever the bytes are cut, within characters and ends of lines as well', () => {
    const line = fc.constantFrom('data: é😀 {"a":1}', 'data: x', 'event: done', ': c', '', 'id: 7', 'data');
    const end = fc.constantFrom('\n', '\r\n', '\r');
    fc.assert(
      fc.property(fc.array(fc.tuple(line, end)), fc.array(fc.nat(), { maxLength: 20 }), (lines, places) => {
        const bytes = Buffer.from(lines.map((parts) => parts.join('')).join(''));
        expect(eventsOf(cut(bytes, places))).toEqual(eventsOf([bytes]));
      }),
    );
  });

  it('take linear time for a line that arrives byte by byte', () => {
    const parser = new SseParser();
    const byte = Buffer.from('x');
    const startedAt = performance.now();
    for (let count = 0; count < 300_000; count += 1) parser.push(byte);
    expect(parser.end()).toEqual([]);
    expect(performance.now() - startedAt).toBeLessThan(20_000);
  });
});

describe('lines', () => {
  it('replace bytes that are not UTF-8', () => {
    const lines = new LineSplitter();
    expect([...lines.push(Buffer.from([0x61, 0xff, 0x0a, 0xc3])), ...lines.end()]).toEqual(['a\ufffd', '\ufffd']);
  });

  it('of JSON are values, and empty ones are skipped', () => {
    const parser = new NdjsonParser();
    expect([
      ...parser.push(Buffer.from('{"a":1}\n\r\n \n{"a"')),
      ...parser.push(Buffer.from(':2}')),
      ...parser.end(),
    ]).toEqual(['{"a":1}', '{"a":2}']);
  });
});

describe('untrusted JSON', () => {
  it('is refused if it is too deep, has a prototype or is not JSON', () => {
    const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
    expect(readJson(nested(64))).toBeDefined();
    expect(() => readJson(nested(65))).toThrow('is nested deeper than 64 levels');
    expect(() => readJson(nested(100_000))).toThrow(JsonRefused);
    expect(() => readJson('{"a":{"\\u005f_proto__":1}}')).toThrow('has a key "__proto__"');
    expect(() => readJson('{"a":')).toThrow('is not valid JSON');
  });
});
