/** A source of numbers determined by the seed. */
export interface Random {
  /** At least 0, below 1. */
  readonly next: () => number;
  /** A whole number from `low` to `high`, both included. */
  readonly between: (low: number, high: number) => number;
  readonly pick: <Value>(values: readonly [Value, ...Value[]]) => Value;
  readonly shuffle: <Value>(values: readonly Value[]) => Value[];
}

/** FNV-1a: spreads a name over 32 bits. */
const hashOf = (name: string): number => {
  let hash = 0x811c9dc5;
  for (const unit of Buffer.from(name)) hash = Math.imul(hash ^ unit, 0x01000193);
  return hash >>> 0;
};

/** A separate source for each purpose, so that one more draw from one does not affect the others (mulberry32). */
export const randomOf = (seed: number, purpose: string): Random => {
  let state = (seed ^ hashOf(purpose)) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    between,
    pick: (values) => values[between(0, values.length - 1)] ?? values[0],
    shuffle: (values) => {
      const left = [...values];
      return values.flatMap(() => left.splice(between(0, left.length - 1), 1));
    },
  };
};
