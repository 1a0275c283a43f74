import { chooseRelease } from './previous-archive';

const RELEASES = [
  { version: '0.1.0', tag: 'v0.1.0', commit: 'one' },
  { version: '0.2.0', tag: 'v0.2.0', commit: 'two' },
];

describe('the release to upgrade from', () => {
  it.each([
    ['of later work', 'three', '0.2.0'],
    ['of the last release itself', 'two', '0.1.0'],
  ])('%s is the last one before it', (_, head, expected) => {
    expect(chooseRelease(RELEASES, head, undefined).version).toBe(expected);
  });

  it('is the given one', () => {
    expect(chooseRelease(RELEASES, 'three', '0.1.0').commit).toBe('one');
  });

  it('must exist', () => {
    expect(() => chooseRelease(RELEASES, 'three', '0.3.0')).toThrow('names no release 0.3.0; it names 0.1.0, 0.2.0.');
    expect(() => chooseRelease(RELEASES.slice(0, 1), 'one', undefined)).toThrow('names no release before this commit');
  });
});
