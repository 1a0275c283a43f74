import type { Violation } from '../../checks/evidence';
import { checkAnswers, checkRuns, clientKeyOf } from '../check-runs';
import type { Figure } from '../scenario-result';
import { keepStarting } from '../keep-starting';
import { STEADY_KINDS } from '../kinds';
import type { Scene } from '../scene';
import type { Wanted } from '../start-run';

/** Settings of a scenario that replaces keys or certificates under load. */
export interface RotationOptions {
  readonly perSecond: number;
  readonly report: (line: string) => void;
}

/** How long the load runs after each finished step. */
export const LOOK_MS = 10_000;
const SETTLE_MS = 60_000;

/** Records a violation that concerns no single execution. */
export const broken = (violations: Violation[], check: string, what: string): void =>
  void violations.push({ check, executionId: '', what });

/**
 * Rotates under an ordinary load, waits for the end of all runs, and records violations.
 * @returns figures of the load
 */
export const rotateUnderLoad = async (
  scene: Scene,
  { perSecond, report }: RotationOptions,
  violations: Violation[],
  rotate: () => Promise<void>,
): Promise<readonly Figure[]> => {
  const wanted: Wanted[] = [];
  let isOver = false;
  const load = keepStarting(scene.ingress, {
    kinds: STEADY_KINDS,
    keyOf: ({ name }, index) => `${name}-${index}`,
    wanted,
    perSecond,
    most: 2_000,
    isOver: () => isOver,
  });
  try {
    await rotate();
  } finally {
    isOver = true;
  }
  const { sent } = await load;
  report('waiting for the end of all runs ...');
  const left = await scene.settle(SETTLE_MS);
  const rows = await scene.rows();
  const createdAt = new Map(rows.map((row) => [clientKeyOf(row), row.createdAt.getTime()]));
  violations.push(
    ...left.map(({ _id, state }) => ({ check: 'every run ends', executionId: _id, what: `still ${state}` })),
    ...checkAnswers(wanted, (key) => createdAt.get(key)),
    ...checkRuns({ wanted, rows, sink: scene.sink, hadDeaths: false }),
  );
  return [
    ['load', `${sent} starts, ${perSecond} a second`],
    ['starts that were sent again', String(wanted.filter(({ replies }) => replies.length > 1).length)],
  ];
};
