import { withoutEnds, withoutLeading, withoutTrailing } from './trim-characters';

describe('trimming characters', () => {
  it.each([
    ['', ''],
    ['a', 'a'],
    ['a/', 'a'],
    ['a///', 'a'],
    ['///', ''],
    ['/a/b//', '/a/b'],
  ])('removes trailing slashes of %p', (text, expected) => {
    expect(withoutTrailing(text, '/')).toBe(expected);
  });

  it('removes leading characters and both ends', () => {
    expect(withoutLeading('//a/', '/')).toBe('a/');
    expect(withoutEnds('//a/b/', '/')).toBe('a/b');
    expect(withoutEnds('////', '/')).toBe('');
  });

  it('removes any of several characters', () => {
    expect(withoutTrailing('secret\r\n\n', '\r\n')).toBe('secret');
  });
});
