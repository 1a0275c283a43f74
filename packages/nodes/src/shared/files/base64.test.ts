import { decodeBase64 } from './base64';

const PNG = 'iVBORw0KGgo=';

describe('base64 text', () => {
  it.each([
    ['plain', PNG],
    ['without padding', 'iVBORw0KGgo'],
    ['with line breaks', 'iVBO\r\nRw0K\n Ggo=\n'],
    ['a data address', `data:image/png;base64,${PNG}`],
    ['a data address with parameters', `data:image/png;name=a.png;base64,${PNG}`],
    ['a data address with escapes', `DATA:image/png;base64,${encodeURIComponent(PNG)}`],
    ['a data address behind white space', `\n data:;base64,${PNG}`],
  ])('is decoded: %s', (_, text) => {
    expect(decodeBase64(text)?.bytes.toString('hex')).toBe('89504e470d0a1a0a');
  });

  it('of a data address names its type, and may be plain text', () => {
    expect(decodeBase64(`data:image/PNG;base64,${PNG}`)?.mimeType).toBe('image/png');
    expect(decodeBase64(`data:,a%20b`)).toEqual({ bytes: Buffer.from('a b') });
  });

  it('in the URL-safe alphabet is decoded', () => {
    expect(decodeBase64('-_8')?.bytes.toString('hex')).toBe('fbff');
  });

  it.each(['hello world!', 'iVBOR', 'aGk=aGk=', 'data:image/png;base64', 'data:image/png;base64,häh', 'data:,%'])(
    '%j is not decoded to arbitrary bytes',
    (text) => {
      expect(decodeBase64(text)).toBeUndefined();
    },
  );
});
