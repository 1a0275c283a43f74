import { decodeText, encodeText } from './text-encoding';

describe('encoded strings', () => {
  it.each([
    ['utf8', 'é€', 'c3a9e282ac'],
    ['', 'é', 'c3a9'],
    ['utf16le', 'é', 'e900'],
    ['utf-16be', 'é', '00e9'],
    ['latin1', 'é', 'e9'],
    ['windows-1252', '€', '80'],
    ['win1251', 'я', 'ff'],
    ['iso-8859-15', '€', 'a4'],
    ['Shift_JIS', '日', '93fa'],
    ['gbk', '日', 'c8d5'],
    ['hex', 'c3', 'c3'],
    ['base64', 'aGk=', '6869'],
  ])('are written and read in %s', (encoding, text, hex) => {
    const bytes = encodeText(text, encoding, false);
    expect(Buffer.from(bytes).toString('hex')).toBe(hex);
    expect(decodeText(bytes, encoding, true)).toBe(text);
  });

  it('have a byte order mark on request, which is removed when reading', () => {
    for (const encoding of ['utf8', 'utf16le']) {
      const bytes = encodeText('a', encoding, true);
      expect([decodeText(bytes, encoding, true), decodeText(bytes, encoding, false)]).toEqual(['a', '\uFEFFa']);
    }
  });

  it('always have a byte order mark where the encoding leaves the byte order open', () => {
    for (const encoding of ['utf16', 'utf32']) {
      const bytes = encodeText('a', encoding, false);
      expect(Buffer.from(bytes.subarray(0, 2)).toString('hex')).toBe('fffe');
      expect(decodeText(bytes, encoding, true)).toBe('a');
    }
    expect(encodeText('a', 'utf16le', false)).toHaveLength(2);
  });

  it('are rejected for an unknown encoding', () => {
    expect(() => encodeText('a', 'klingon', false)).toThrow('Unknown encoding "klingon"');
    expect(() => decodeText(new Uint8Array(1), 'klingon', true)).toThrow('Unknown encoding "klingon"');
  });
});
