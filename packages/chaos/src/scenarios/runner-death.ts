import { setTimeout as sleep } from 'node:timers/promises';
import type { Violation } from '../checks/evidence';
import type { Scene } from './scene';

/** Cost of a runner's death to its runs. */
export interface Death {
  /** From the death to the next claim or the end of each of its runs, in milliseconds. */
  readonly recoveriesMs: readonly number[];
  readonly violations: readonly Violation[];
}

/** Bound at the default lease of 30 s. */
const RECOVERY_LIMIT_MS = 40_000;
const GIVE_UP_MS = 90_000;
const LOOK_EVERY_MS = 200;
const ENDED: readonly string[] = ['success', 'error', 'crashed', 'cancelled'];

/** Kills the runner with the most runs, starts it again, and measures when each of its runs continues. */
export const watchDeath = async ({ environment, store }: Scene, report: (line: string) => void): Promise<Death> => {
  const running = await store.inStates(['running']);
  const heldBy = (index: number) =>
    running.filter(({ lease }) => lease !== undefined && environment.runnerIdsOf(index).includes(lease.runnerId));
  const victim = heldBy(0).length >= heldBy(1).length ? 0 : 1;
  const held = new Map(heldBy(victim).map((row) => [row._id, row.fence]));
  const killedAt = Date.now();
  const runner = environment.processOf({ service: 'runner', index: victim });
  runner.kill('SIGKILL');
  await runner.ended;
  await runner.restart();
  report(`    runner-${victim} was killed with ${held.size} runs`);
  const open = new Map(held);
  const recoveriesMs: number[] = [];
  while (open.size > 0 && Date.now() - killedAt < GIVE_UP_MS) {
    for (const { _id, fence, state } of await store.byIds([...open.keys()])) {
      if (fence === open.get(_id) && !ENDED.includes(state)) continue;
      open.delete(_id);
      recoveriesMs.push(Date.now() - killedAt);
    }
    await sleep(LOOK_EVERY_MS);
  }
  const late = recoveriesMs.filter((ms) => ms > RECOVERY_LIMIT_MS);
  return {
    recoveriesMs,
    violations: [
      ...(held.size === 0
        ? [
            {
              check: 'the scenario hit a running execution',
              executionId: '',
              what: 'the runner held nothing when it was killed',
            },
          ]
        : []),
      ...late.map((ms) => ({
        check: "runs continue within 40 s of their runner's death",
        executionId: '',
        what: `${ms} ms`,
      })),
      ...[...open.keys()].map((id) => ({
        check: "runs continue within 40 s of their runner's death",
        executionId: id,
        what: `not within ${GIVE_UP_MS} ms`,
      })),
    ],
  };
};
