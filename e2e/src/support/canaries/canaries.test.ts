import { createCanaries } from './canaries';

describe('the search for planted secrets', () => {
  const canaries = createCanaries();
  const secret = canaries.plant('token');
  canaries.add('made elsewhere', 'weft_0123456789abcdef');
  const base64 = (text: string): string => Buffer.from(text).toString('base64');

  it.each([
    ['as it is', secret],
    ['in capital letters', secret.toUpperCase()],
    ['in JSON', JSON.stringify({ a: { [secret]: 1 } })],
    ['in an address', `https://a.example/?q=${encodeURIComponent(secret)}`],
    ['in Base64', base64(secret)],
    ['in Base64 behind one letter', base64(`u${secret}`)],
    ['in Base64 as the password of Basic', base64(`ab:${secret}`)],
    ['in Base64 for addresses', Buffer.from(`???${secret}???`).toString('base64url')],
    ['in hexadecimal', Buffer.from(secret).toString('hex')],
    ['in Base32', canaries.plantBase32()],
    ['of others', 'key=weft_0123456789ABCDEF;'],
    ['of others in Base64', base64('key:weft_0123456789abcdef')],
  ])('finds them %s, in strings and in bytes', (_, text) => {
    expect(canaries.findIn('place', `before ${text} behind`)).not.toEqual([]);
    expect(canaries.findIn('place', Buffer.from(`\0\xff${text}`, 'latin1'))).not.toEqual([]);
  });

  it('finds nothing where there is none', () => {
    expect(canaries.findIn('place', `${base64('some other text')} weft_0123 *** canary`)).toEqual([]);
  });
});
