import { NodeFailure } from '@weft/engine';

/** Differences between SQL servers in the text of statements. */
export interface Dialect {
  /** A name as a quoted identifier that it cannot escape. @throws NodeFailure for a name that no server accepts */
  readonly quote: (name: string) => string;
  /** Placeholder of the bound value at a position, counted from 1. */
  readonly placeholder: (position: number) => string;
  /** True if `\` escapes within every string. */
  readonly backslashes: boolean;
  /** True if `#` begins a comment and backticks quote names. */
  readonly mysql: boolean;
}

/** PostgreSQL. A name is a single identifier, whatever its content. */
export const POSTGRES: Dialect = {
  quote: (name) => quoted(name, '"'),
  placeholder: (position) => `$${position}`,
  backslashes: false,
  mysql: false,
};

/** MySQL and MariaDB. Dots separate the parts of a name, except within backticks. */
export const MYSQL: Dialect = {
  quote: (name) =>
    partsOf(name)
      .map((part) => quoted(part, '`'))
      .join('.'),
  placeholder: () => '?',
  backslashes: true,
  mysql: true,
};

/** Parts of a dotted name, without backticks. */
function partsOf(name: string): string[] {
  const parts: readonly string[] = name.match(/`(?:[^`]|``)*`|[^.`]+|[.`]/g) ?? [];
  const names = parts.filter((part) => part !== '.').map((part) => part.trim());
  // An unmatched backtick, or only dots.
  if (parts.includes('`') || names.length === 0) return [name];
  return names.map((part) => (part.startsWith('`') ? part.slice(1, -1).replaceAll('``', '`') : part));
}

function quoted(name: string, mark: string): string {
  if (name === '') throw new NodeFailure('The name of a table or column is empty');
  if (name.includes('\u0000')) throw new NodeFailure('The name of a table or column must not contain a NUL character');
  return mark + name.replaceAll(mark, mark + mark) + mark;
}
