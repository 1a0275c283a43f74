import type { Outcome } from './checks';
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

/** Number of outcomes with a result. */
export const countOf = (outcomes: readonly Outcome[], result: Outcome['result']): string =>
  String(outcomes.filter((one) => one.result === result).length);

/** A row for each replacement, with the replies that arrived from its SIGTERM to the next one. */
export const replacementRows = (
  replacements: readonly Replacement[],
  outcomes: readonly Outcome[],
): readonly (readonly string[])[] => [
  ['process', 'version', 'ended', 'ready', 'replies', 'refused', 'late', 'cut'],
  ...replacements.map(({ name, version, beganAt, stopMs, readyMs, endedAt }) => {
    const own = outcomes.filter(({ doneAt }) => doneAt >= beganAt && doneAt < endedAt);
    return [
      name,
      version,
      seconds(stopMs),
      seconds(readyMs),
      String(own.length),
      countOf(own, 'refused'),
      countOf(own, 'late'),
      countOf(own, 'cut'),
    ];
  }),
];

/** The errors of connections that were cut, with their numbers. */
export const cutErrors = (outcomes: readonly Outcome[]): string => {
  const counts = new Map<string, number>();
  for (const { error } of outcomes) if (error !== undefined) counts.set(error, (counts.get(error) ?? 0) + 1);
  return [...counts].map(([error, count]) => `${count} ${error}`).join(', ') || '0';
};
