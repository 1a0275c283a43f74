import { isSameSecret } from './same-secret';

describe('isSameSecret', () => {
  it('is true for equal strings only', () => {
    expect(isSameSecret('sécret', 'sécret')).toBe(true);
    expect(isSameSecret('', '')).toBe(true);
    for (const other of ['', 'Sécret', 'sécret ', 'sécre', 'secret']) expect(isSameSecret('sécret', other)).toBe(false);
  });
});
