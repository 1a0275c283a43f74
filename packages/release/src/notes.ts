import { StackError } from '@weft/local-stack';

/**
 * Cuts the section of a version out of the changelog; while the version has none, the unreleased changes.
 * @returns Markdown with the version as its title
 * @throws StackError if there is neither
 */
export function releaseNotes(changelog: string, version: string): string {
  const sections = changelog.split(/^(?=## )/m).slice(1);
  const bodyOf = (isWanted: (title: string) => boolean): string | undefined =>
    sections
      .filter((section) => isWanted(/^## (.*)/.exec(section)?.[1] ?? ''))
      .map((section) => section.slice(section.indexOf('\n')).trim())
      .find((body) => body !== '');
  const body =
    bodyOf((title) => title === version || title.startsWith(`${version} `)) ??
    bodyOf((title) => title === 'Unreleased');
  if (body === undefined)
    throw new StackError(`CHANGELOG.md says nothing about ${version}; add a section "## ${version}".`);
  return `# Weft ${version}\n\n${body}\n`;
}
