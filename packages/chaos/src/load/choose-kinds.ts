import { randomOf, type Random } from '../random';
import { HEALTHY_KINDS } from './healthy-kinds';
import { HOSTILE_KINDS } from './hostile-kinds';
import type { Kind } from './kind';

/** One start of the load. */
export interface PlannedStart {
  readonly index: number;
  readonly kind: Kind;
  readonly isHostile: boolean;
}

const HOSTILE_SHARE = 0.06;
const EXECUTIONS_PER_RARE = 700;

const draw = (random: Random, kinds: readonly Kind[]): Kind => {
  const sum = kinds.reduce((total, { weight }) => total + weight, 0);
  let left = random.next() * sum;
  const found = kinds.find(({ weight }) => (left -= weight) < 0) ?? kinds.at(-1);
  if (found === undefined) throw new Error('There is no kind to draw from.');
  return found;
};

/**
 * The kind of each start: shares by the kinds' weights, a few of each rare kind, in an order determined by the seed.
 */
export const chooseKinds = (seed: number, executions: number, withHostile: boolean): PlannedStart[] => {
  const random = randomOf(seed, 'load');
  const rareCount = Math.max(1, Math.round(executions / EXECUTIONS_PER_RARE));
  const rare = withHostile
    ? HOSTILE_KINDS.filter(({ isRare }) => isRare === true).flatMap((kind) =>
        Array.from({ length: rareCount }, () => kind),
      )
    : [];
  const common = HOSTILE_KINDS.filter(({ isRare }) => isRare !== true);
  const hostile = withHostile
    ? Array.from({ length: Math.round(executions * HOSTILE_SHARE) }, () => draw(random, common))
    : [];
  const healthy = Array.from({ length: Math.max(0, executions - rare.length - hostile.length) }, () =>
    draw(random, HEALTHY_KINDS),
  );
  const starts = [
    ...healthy.map((kind) => ({ kind, isHostile: false })),
    ...[...hostile, ...rare].map((kind) => ({ kind, isHostile: true })),
  ];
  return random.shuffle(starts).map((start, index) => ({ index, ...start }));
};
