import { maskedTextStream } from './masked-text-stream';
import { SecretMask } from './secret-mask';

const SECRET = 'sk-"quoted"\nKEY-12345';

const setUp = (...secrets: string[]) => {
  const mask = new SecretMask();
  for (const secret of secrets) mask.add(secret);
  const parts: string[] = [];
  const stream = maskedTextStream({ write: (text) => parts.push(text), end: () => parts.push('<end>') }, mask);
  return { mask, parts, stream };
};

describe('a masked stream of text', () => {
  it('passes parts on at once when they cannot be the start of a secret', () => {
    const { parts, stream } = setUp(SECRET);
    stream.write('Good ');
    stream.write('morning');
    stream.end();
    expect(parts).toEqual(['Good ', 'morning', '<end>']);
  });

  it.each([
    ['plain', SECRET],
    ['quoted', JSON.stringify(SECRET)],
    ['quoted twice', JSON.stringify(JSON.stringify(SECRET))],
    ['in base64', Buffer.from(`user:${SECRET}`).toString('base64')],
    ['in hex', Buffer.from(SECRET).toString('hex')],
    ['in an address', encodeURIComponent(SECRET)],
    ['in upper case', SECRET.toUpperCase()],
  ])('shows the same as the mask of the whole text: %s', (_name, form) => {
    for (let size = 1; size < form.length; size += 1) {
      const { mask, parts, stream } = setUp(SECRET);
      const text = `The key is ${form}, keep sk- it.`;
      for (let at = 0; at < text.length; at += size) stream.write(text.slice(at, at + size));
      stream.end();
      expect(parts.slice(0, -1).join('')).toBe(mask.text(text));
    }
  });

  it('shows what looked like a secret once it is something else', () => {
    const { parts, stream } = setUp('abcdefghij');
    stream.write('abcdefgh');
    expect(parts).toEqual([]);
    stream.write('!');
    expect(parts).toEqual(['abcdefgh!']);
  });
});
