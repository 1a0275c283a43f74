/** Outcome of one check. */
export interface CheckResult {
  readonly area: string;
  readonly what: string;
  /** `note`: it works, and there is something to know. */
  readonly outcome: 'ok' | 'note' | 'fails';
  /** Figures, or what went wrong. */
  readonly detail: string;
}

const MAX_DETAIL = 300;

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').slice(0, MAX_DETAIL);

/** The results as a table with aligned columns. */
export const tableOf = (results: readonly CheckResult[]): string => {
  const rows = [
    ['', 'area', 'what Weft uses', 'detail'],
    ...results.map(({ outcome, area, what, detail }) => [outcome, area, what, oneLine(detail)]),
  ];
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};

/** The last sentence, and whether the store can be used. */
export const outcomeOf = (
  results: readonly CheckResult[],
): { readonly isUsable: boolean; readonly sentence: string } => {
  const failed = results.filter(({ outcome }) => outcome === 'fails').length;
  const noted = results.filter(({ outcome }) => outcome === 'note').length;
  if (failed > 0)
    return {
      isUsable: false,
      sentence: `Not supported: ${failed} of ${results.length} checks failed. Use another store.`,
    };
  const notes = noted === 0 ? '' : ` Read the ${noted === 1 ? 'note' : `${noted} notes`} above.`;
  return { isUsable: true, sentence: `Weft can use this store: all ${results.length} checks passed.${notes}` };
};

/** A connection string without its password. */
export const withoutPassword = (uri: string): string => {
  const begin = uri.indexOf('://') + 3;
  const end = uri.lastIndexOf('@');
  const colon = uri.indexOf(':', begin);
  return colon < 0 || colon > end ? uri : `${uri.slice(0, colon)}:***${uri.slice(end)}`;
};
