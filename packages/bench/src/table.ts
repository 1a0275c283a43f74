/** One line of the result. */
export interface Row {
  readonly what: string;
  readonly figure: string;
  /** Throughput of the parts by themselves, and the share reached; empty if there is no such figure. */
  readonly ceiling: string;
}

/** A rate, rounded. */
export const rate = (perSecond: number, unit = '/s'): string => `${Math.round(perSecond).toLocaleString('en')}${unit}`;

/** Milliseconds, rounded to tenths. */
export const ms = (value: number): string => `${value.toFixed(1)} ms`;

/** Failed requests of a load, to be added to its figure; empty if none failed. */
export const failures = (failed: number): string => (failed === 0 ? '' : `, ${failed} FAILED`);

/** The number of connections of a load, in words. */
export const connectionsText = (connections: number): string =>
  `${connections} connection${connections === 1 ? '' : 's'}`;

/** A ceiling with the share that was reached. */
export const ofCeiling = (reached: number, ceiling: number, what: string): string =>
  `${rate(ceiling)} ${what} (${Math.round((100 * reached) / ceiling)} %)`;

/** The rows as text columns. */
export const formatTable = (rows: readonly Row[]): string => {
  const all: readonly Row[] = [
    { what: 'measured', figure: 'figure', ceiling: 'ceiling of its parts in this run' },
    ...rows,
  ];
  const width = (pick: (row: Row) => string): number => Math.max(...all.map((row) => pick(row).length));
  const [first, second] = [width((row) => row.what), width((row) => row.figure)];
  return all
    .map((row) => `${row.what.padEnd(first)}  ${row.figure.padStart(second)}  ${row.ceiling}`.trimEnd())
    .join('\n');
};
