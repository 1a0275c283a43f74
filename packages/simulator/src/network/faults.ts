import type { Random } from '../time/random';

/** The fate of one message or command. */
export type Fate =
  /** It arrives after this many milliseconds. */
  | { readonly kind: 'arrives'; readonly ms: number }
  /** It never arrives, and its sender learns nothing. */
  | { readonly kind: 'lost' }
  /** The connection breaks before it arrives, which its sender notices. */
  | { readonly kind: 'broken' };

/** The current state of a kind of connection. Changed by the plan of a seed while the simulation runs. */
export interface Weather {
  /** Milliseconds of a usual delay. */
  ms: number;
  /** Probability of an unusual delay, and its maximum in milliseconds. */
  slow: number;
  slowMs: number;
  /** Probability that a message is lost, and that its connection breaks. */
  lost: number;
  broken: number;
}

export const calm = (ms: number): Weather => ({ ms, slow: 0, slowMs: 0, lost: 0, broken: 0 });

/** Decides what happens to a message. */
export const fateOf = (weather: Weather, random: Random): Fate => {
  if (weather.lost > 0 && random.chance(weather.lost)) return { kind: 'lost' };
  if (weather.broken > 0 && random.chance(weather.broken)) return { kind: 'broken' };
  const usual = weather.ms * (0.5 + random.next());
  const extra = weather.slow > 0 && random.chance(weather.slow) ? random.next() * weather.slowMs : 0;
  return { kind: 'arrives', ms: usual + extra };
};
