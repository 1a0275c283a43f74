import type { Reply } from '@weft/chaos/crowd';
import { refusalsOf } from './checks';
import type { Replacement } from './roll';

/** Lines of a table whose columns are as wide as their longest cell; all but the first are aligned to the right. */
export const tableLines = (rows: readonly (readonly string[])[]): readonly string[] => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  '),
  );
};

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** A row for each replacement, with the replies that arrived from its SIGTERM to the next one. */
export const replacementRows = (
  replacements: readonly Replacement[],
  replies: readonly Reply[],
): readonly (readonly string[])[] => [
  ['process', 'version', 'ended', 'ready', 'replies', 'refused', 'cut'],
  ...replacements.map(({ name, version, beganAt, stopMs, readyMs, endedAt }) => {
    const own = replies.filter(({ doneAt }) => doneAt >= beganAt && doneAt < endedAt);
    return [
      name,
      version,
      seconds(stopMs),
      seconds(readyMs),
      String(own.length),
      String(refusalsOf(own)),
      String(own.filter(({ kind }) => kind === 'broken').length),
    ];
  }),
];
