import { createSecretKey, randomBytes } from 'node:crypto';
import { isSetUpCode, setUpCodeOf } from './set-up-code';

const newKey = (kid = 'k1') => ({ kid, key: createSecretKey(randomBytes(32)) });

describe('the set-up code', () => {
  const key = newKey();
  const code = setUpCodeOf(key);

  it('has four groups of unambiguous characters, and is determined by the key', () => {
    expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{5}-){3}[0-9A-HJKMNP-TV-Z]{5}$/);
    expect(setUpCodeOf(key)).toBe(code);
    expect(setUpCodeOf(newKey())).not.toBe(code);
  });

  it('is accepted in any spelling', () => {
    for (const typed of [code, code.toLowerCase(), code.replaceAll('-', ''), ` ${code.replaceAll('-', ' ')}\n`])
      expect(isSetUpCode(typed, code)).toBe(true);
    expect(isSetUpCode('OIL00-00000-00000-00000', '01100-00000-00000-00000')).toBe(true);
  });

  it('is refused when a character is wrong, missing or added', () => {
    const other = code.startsWith('A') ? 'B' : 'A';
    for (const typed of [
      '',
      '-',
      code.slice(1),
      code.slice(0, -1),
      `${code}0`,
      `${other}${code.slice(1)}`,
      `${code}${' '.repeat(100)}0`.replace(code, code.slice(1)),
    ]) {
      expect(isSetUpCode(typed, code)).toBe(false);
    }
  });
});
