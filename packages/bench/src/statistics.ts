/** The middle of the values and their bounds. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

const ascending = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);

/** The median; of an even number of values, the mean of the middle two. @throws Error without values */
export const median = (values: readonly number[]): number => {
  const sorted = ascending(values);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  if (upper === undefined || lower === undefined) throw new Error('There is no median of no values.');
  return (lower + upper) / 2;
};

/** The smallest of the values that at least that share of them does not exceed (nearest rank); 0 of no values. */
export const percentile = (values: readonly number[], share: number): number =>
  ascending(values)[Math.max(0, Math.ceil(share * values.length) - 1)] ?? 0;

/** @throws Error if there are no values */
export const spreadOf = (values: readonly number[]): Spread => ({
  median: median(values),
  min: Math.min(...values),
  max: Math.max(...values),
});

/**
 * Ratio of one series to another, round by round. Rounds are measured next to each other, so a disturbance that lasts
 * longer than a round affects both. Skips rounds in which the reference is 0; undefined if those are all.
 */
export const ratioOf = (values: readonly number[], reference: readonly number[]): Spread | undefined => {
  const ratios = values.flatMap((value, round) => {
    const other = reference[round];
    return other === undefined || other === 0 ? [] : [value / other];
  });
  return ratios.length === 0 ? undefined : spreadOf(ratios);
};
