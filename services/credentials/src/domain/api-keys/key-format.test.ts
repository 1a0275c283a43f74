import { createHash, randomBytes } from 'node:crypto';
import { readMasterKey } from '../master-keys';
import { createHashKey, isKeyValue, makeKeyValue } from './key-format';

const masterKey = (kid: string) => readMasterKey(`${kid}:${randomBytes(32).toString('base64')}`);
const withChecksum = (body: string): string =>
  `weft_${body}${createHash('sha256').update(body).digest('hex').slice(0, 4)}`;

describe('a key value', () => {
  it('is weft_, 64 random hexadecimal digits and the first 4 of their SHA-256', () => {
    const values = Array.from({ length: 100 }, makeKeyValue);
    for (const value of values) {
      expect(value).toMatch(/^weft_[0-9a-f]{68}$/);
      expect(value).toBe(withChecksum(value.slice(5, -4)));
      expect(isKeyValue(value)).toBe(true);
    }
    expect(new Set(values).size).toBe(100);
  });

  it('may have any body of 32 to 128 letters and digits', () => {
    for (const body of ['a1B2'.repeat(8), 'Z'.repeat(128), '0123456789abcdef'.repeat(4)])
      expect(isKeyValue(withChecksum(body))).toBe(true);
    for (const body of ['a'.repeat(31), 'a'.repeat(129), `${'a'.repeat(32)}_`, `${'a'.repeat(32)}-x`])
      expect(isKeyValue(withChecksum(body))).toBe(false);
  });

  it('is almost always recognised as mistyped if one character differs', () => {
    const value = makeKeyValue();
    const mistyped = Array.from(
      { length: 68 },
      (_, index) => `${value.slice(0, 5 + index)}${value[5 + index] === '0' ? '1' : '0'}${value.slice(6 + index)}`,
    );
    expect(mistyped.filter(isKeyValue).length).toBeLessThan(3);
    for (const text of [
      '',
      'weft_',
      value.slice(5),
      value.toUpperCase(),
      `${value} `,
      `${value}\n`,
      value.replace('weft', 'wfk'),
    ])
      expect(isKeyValue(text)).toBe(false);
  });
});

describe('the hash of a key', () => {
  const [one, two] = [masterKey('one'), masterKey('two')];
  const value = makeKeyValue();

  it('depends on the value and the master key, and names the latter', () => {
    const [hash, ...others] = createHashKey({ current: one, previous: undefined })(value);
    expect(others).toEqual([]);
    expect(hash).toEqual({ kid: 'one', hash: expect.stringMatching(/^[\w-]{43}$/) });
    expect(createHashKey({ current: one, previous: undefined })(makeKeyValue())[0].hash).not.toBe(hash.hash);
    expect(createHashKey({ current: two, previous: undefined })(value)[0].hash).not.toBe(hash.hash);
  });

  it('is computed under both keys during a rotation, the current one first', () => {
    const before = createHashKey({ current: one, previous: undefined })(value);
    const during = createHashKey({ current: two, previous: one })(value);
    expect(during.map(({ kid }) => kid)).toEqual(['two', 'one']);
    expect(during[1]).toEqual(before[0]);
  });
});
