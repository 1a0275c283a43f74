import { decodeText } from './decode-text';

const bytes = (...codes: number[]): Uint8Array => Uint8Array.from(codes);

describe('the text of a response', () => {
  it.each([
    ['the charset of the content type', bytes(0xe1), 'text/plain; charset=latin1', 'á'],
    ['a quoted charset', bytes(0xe1), 'text/plain; charset="ISO-8859-1"', 'á'],
    ['a multi-byte charset', bytes(0xc4, 0xe3), 'text/html; charset=gb18030', '你'],
    [
      'the head of an HTML page',
      Buffer.concat([Buffer.from('<meta charset="gb2312">'), bytes(0xc4, 0xe3)]),
      'text/html',
      '<meta charset="gb2312">你',
    ],
    [
      'the declaration of an XML document',
      Buffer.concat([Buffer.from('<?xml version="1.0" encoding="iso-8859-2"?>'), bytes(0xb1)]),
      'application/xml',
      '<?xml version="1.0" encoding="iso-8859-2"?>ą',
    ],
    ['UTF-8', Buffer.from('Hello World! 🌍'), 'text/html', 'Hello World! 🌍'],
    ['Windows-1252 where it is not UTF-8', bytes(0x63, 0x61, 0x66, 0xe9), 'text/plain', 'café'],
    ['the best match where the charset is not known', Buffer.from('ä'), 'text/plain; charset=nonsense', 'ä'],
    ['no hint for an empty body', bytes(), '', ''],
  ])('is decoded by %s', (_by, body, contentType, text) => {
    expect(decodeText(body, contentType)).toBe(text);
  });
});
