import fc from 'fast-check';
import { bufferFrom, createBufferFunction } from './buffer';
import { encodingOf, toBytes, toText } from './encodings';
import { decodeUtf8, encodeUtf8 } from './utf8';

const text = fc.string({ unit: 'binary', maxLength: 60 });
const bytes = fc.uint8Array({ maxLength: 60 });
const ENCODINGS = ['utf8', 'hex', 'base64', 'base64url', 'latin1', 'ascii', 'utf16le'] as const;
const made: {
  from: typeof bufferFrom;
  concat: (list: readonly Uint8Array[], total?: number) => Uint8Array;
  alloc: (size: number, fill?: unknown) => Uint8Array;
  isBuffer: (value: unknown) => boolean;
  byteLength: (value: unknown) => number;
} = Object(createBufferFunction());

describe('bytes of the sandbox', () => {
  it('are UTF-8 as Node writes it, half surrogate pairs included', () => {
    fc.assert(
      fc.property(text, (one) => {
        expect([...encodeUtf8(one)]).toEqual([...Buffer.from(one, 'utf8')]);
      }),
    );
    expect([...encodeUtf8('a\ud800b')]).toEqual([...Buffer.from('a\ud800b', 'utf8')]);
  });

  it('are read as UTF-8 as Node reads it, broken sequences included', () => {
    fc.assert(
      fc.property(bytes, (one) => {
        expect(decodeUtf8(one)).toBe(Buffer.from(one).toString('utf8'));
      }),
      { numRuns: 1_000 },
    );
  });

  it.each(ENCODINGS)('are the same text in %s as in Node, both ways', (encoding) => {
    fc.assert(
      fc.property(bytes, text, (one, other) => {
        expect(toText(one, encoding)).toBe(Buffer.from(one).toString(encoding));
        expect([...toBytes(toText(one, encoding), encoding)]).toEqual([
          ...Buffer.from(Buffer.from(one).toString(encoding), encoding),
        ]);
        if (!encoding.startsWith('base64') && encoding !== 'hex')
          expect([...toBytes(other, encoding)]).toEqual([...Buffer.from(other, encoding)]);
      }),
    );
  });

  it('are read from base64 and hex with invalid characters as by Node', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii', maxLength: 60 }), (one) => {
        for (const encoding of ['base64', 'base64url', 'hex'] as const)
          expect([encoding, ...toBytes(one, encoding)]).toEqual([encoding, ...Buffer.from(one, encoding)]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('know the encodings by all their names', () => {
    expect(['UTF-8', 'binary', 'ucs2', 'latin1', 'nothing'].map(encodingOf)).toEqual([
      'utf8',
      'latin1',
      'utf16le',
      'latin1',
      undefined,
    ]);
    expect(() => bufferFrom('a', 'nothing')).toThrow('Unknown encoding: nothing');
  });
});

describe('Buffer of the sandbox', () => {
  it('accepts strings, arrays, bytes, array buffers and the result of toJSON', () => {
    expect(bufferFrom('aGk=', 'base64').toString()).toBe('hi');
    expect([...bufferFrom([1, 257, '3'])]).toEqual([1, 1, 3]);
    expect([...bufferFrom(new Uint8Array([1, 2]))]).toEqual([1, 2]);
    expect([...bufferFrom(new Uint8Array([1, 2, 3]).buffer, 1, 1)]).toEqual([2]);
    expect(bufferFrom(JSON.parse(JSON.stringify(bufferFrom('hi')))).toString()).toBe('hi');
    expect(() => bufferFrom(5)).toThrow('a value of type number');
  });

  it('joins, fills, compares and searches', () => {
    expect(bufferFrom(made.concat([bufferFrom('ab'), bufferFrom('cd')])).toString()).toBe('abcd');
    expect(bufferFrom(made.concat([bufferFrom('ab'), bufferFrom('cd')], 3)).toString()).toBe('abc');
    expect(bufferFrom(made.alloc(5, 'ab')).toString()).toBe('ababa');
    expect(bufferFrom('ab').equals(bufferFrom('ab'))).toBe(true);
    expect(bufferFrom('ab').compare(bufferFrom('b'))).toBe(-1);
    expect(bufferFrom('hello').indexOf('l', 3)).toBe(3);
    expect(bufferFrom('hello').includes('x')).toBe(false);
    expect([made.isBuffer(bufferFrom('')), made.isBuffer(new Uint8Array()), made.byteLength('ä')]).toEqual([
      true,
      false,
      2,
    ]);
  });

  it('shares its bytes with its slices', () => {
    const whole = bufferFrom('abc');
    whole.slice(1)[0] = 0x7a;
    expect(whole.toString()).toBe('azc');
    expect(whole.toString('utf8', 1, 2)).toBe('z');
  });

  it('reads and writes numbers as Node does', () => {
    const ours = bufferFrom(new Uint8Array(16));
    const theirs = Buffer.alloc(16);
    for (const buffer of [ours, theirs]) {
      expect(buffer.writeUInt32BE(0xdeadbeef, 0)).toBe(4);
      buffer.writeInt16LE(-2, 4);
      buffer.writeDoubleLE(1.5, 8);
      buffer.write('z', 6, 1, 'utf8');
    }
    expect([...ours]).toEqual([...theirs]);
    expect([ours.readUInt32BE(0), ours.readInt16LE(4), ours.readDoubleLE(8), ours.readUInt8(6)]).toEqual([
      0xdeadbeef, -2, 1.5, 0x7a,
    ]);
    expect(() => ours.readUInt32LE(14)).toThrow(RangeError);
  });
});
