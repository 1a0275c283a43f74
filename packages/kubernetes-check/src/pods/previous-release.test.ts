import { previousOf } from './previous-release';

const release = (version: string) => ({ version, tag: `v${version}`, commit: version });

describe('the version before the current one', () => {
  it.each([
    ['no release', [], '0.1.0'],
    ['the current release alone', [release('0.1.0')], '0.1.0'],
  ])('is refused with %s, with the version from which it exists', (_, releases, version) => {
    expect(() => previousOf(releases, version)).toThrow(
      'Version 0.1.0 has no previous version: deploy/releases.json names none. --previous works from 0.2.0 on.',
    );
  });

  it.each([
    ['a version that is not released yet', [release('0.1.0')], '0.2.0', '0.1.0'],
    ['a released version', [release('0.1.0'), release('0.2.0')], '0.2.0', '0.1.0'],
    ['a version after several', [release('0.1.0'), release('0.2.0')], '0.3.0', '0.2.0'],
  ])('is the last other release of %s', (_, releases, version, expected) => {
    expect(previousOf(releases, version).version).toBe(expected);
  });
});
