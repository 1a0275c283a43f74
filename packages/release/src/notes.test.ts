import { releaseNotes } from './notes';

const CHANGELOG = `# Changelog

Each release lists what changed.

## Unreleased

## 0.2.0 (2026-12-01)

### Added

- A release.

## 0.1.0 (2026-11-29)

The first release.
`;

describe('release notes', () => {
  it('are the section of the version', () => {
    expect(releaseNotes(CHANGELOG, '0.2.0')).toBe('# Weft 0.2.0\n\n### Added\n\n- A release.\n');
    expect(releaseNotes(CHANGELOG, '0.1.0')).toBe('# Weft 0.1.0\n\nThe first release.\n');
  });

  it('are the unreleased changes while the version has no section', () => {
    const changelog = CHANGELOG.replace('## Unreleased\n', '## Unreleased\n\n- Soon.\n');
    expect(releaseNotes(changelog, '0.3.0')).toBe('# Weft 0.3.0\n\n- Soon.\n');
  });

  it('are refused for a version of which nothing is known', () => {
    expect(() => releaseNotes(CHANGELOG, '0.2')).toThrow('CHANGELOG.md says nothing about 0.2');
  });
});
