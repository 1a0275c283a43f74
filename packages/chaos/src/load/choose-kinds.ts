import { randomOf, type Random } from '../random';
import { FAILING_KINDS } from './failing-kinds';
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

/** Share of the short runs that a run with a failing node replaces. */
const FAILING_SHARE = 0.35;

/**
 * The kind of each start: shares by the kinds' weights, a few of each rare kind, in an order determined by the seed.
 * Some short runs are replaced by runs with a failing node, which leaves the other starts of a seed as they are.
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
  const failures = randomOf(seed, 'failures');
  return random
    .shuffle(starts)
    .map(({ kind, isHostile }, index) =>
      kind.name === 'short' && failures.next() < FAILING_SHARE
        ? { index, kind: draw(failures, FAILING_KINDS), isHostile }
        : { index, kind, isHostile },
    );
};
