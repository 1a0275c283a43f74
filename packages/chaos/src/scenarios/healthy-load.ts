import { keepStarting } from './keep-starting';
import { STEADY_KINDS } from './kinds';
import type { Scene } from './scene';
import type { Wanted } from './start-run';

/** The healthy tenant's load for some time; its runs are recognised by the prefix of their keys. */
export const healthyLoad = async (
  scene: Scene,
  prefix: string,
  perSecond: number,
  forMs: number,
): Promise<Wanted[]> => {
  const wanted: Wanted[] = [];
  const until = Date.now() + forMs;
  await keepStarting(scene.ingress, {
    kinds: STEADY_KINDS,
    keyOf: ({ name }, index) => `${prefix}-${name}-${index}`,
    wanted,
    perSecond,
    most: 5_000,
    isOver: () => Date.now() > until,
  });
  return wanted;
};
