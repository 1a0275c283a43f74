import { createRandom } from '../time/random';
import { createCallers } from '../workload/callers';
import { checkAll, isAllOver } from '../checks/check';
import { HEALED_AT, heal, scheduleFaults } from '../faults/fault-plan';
import { createWorld, type Sizes } from './world';

/** Result of one seed. */
export interface Outcome {
  readonly seed: number;
  readonly violations: readonly string[];
  /** Equal whenever the seed is simulated again. */
  readonly hash: string;
  readonly events: number;
  readonly trace: readonly string[];
}

/** Virtual time for runs to end after nothing fails any more. */
const SETTLE_MS = 400_000;
/** Virtual time in which callers start runs, and until a start may be cancelled. */
const STARTS_MS = 4_000;
const CANCELS_MS = 2_000;
const READ_MS = 60_000;

/** Simulates one seed. @param keepsTrace whether the outcome contains the trace */
export const simulate = async (seed: number, keepsTrace = false): Promise<Outcome> => {
  const random = createRandom(seed, 'plan');
  const sizes: Sizes = {
    replicas: random.between(1, 2),
    runners: random.between(1, 3),
    slots: random.pick([1, 2, 8]),
    leaseMs: random.pick([5_000, 5_000, 10_000]),
    holdMs: random.pick([0, 250, 250]),
  };
  const world = createWorld(seed, sizes, keepsTrace);
  const { scheduler, trace, violated, violations } = world;
  trace.note(`seed ${seed} ${JSON.stringify(sizes)}`);
  const unhandled = (error: unknown): void =>
    violated(`an error was not handled: ${error instanceof Error ? (error.stack ?? '') : String(error)}`);
  process.on('unhandledRejection', unhandled);
  process.on('uncaughtException', unhandled);
  try {
    for (let index = 0; index < sizes.replicas; index += 1) world.startReplica(index);
    for (let index = 0; index < sizes.runners; index += 1) world.startRunner(index);
    await scheduler.runUntil(300);
    const callers = createCallers(world);
    const kinds = world.kinds.filter(({ isStarted }) => isStarted);
    const count = random.between(2, 6);
    const planned = random.fork('calls');
    for (let index = 0; index < count; index += 1) {
      const at = 300 + planned.next() * STARTS_MS;
      const kind = planned.pick(kinds);
      const key = planned.chance(0.3) ? `key-${planned.between(1, 2)}-${kind.name}` : '';
      const [waits, isPatient, cancels] = [planned.chance(0.4), planned.chance(0.5), planned.chance(0.08)];
      const cancelMs = planned.next() * CANCELS_MS;
      scheduler.deliver(at, undefined, () => {
        const call = callers.begin(kind, key, waits, isPatient);
        if (cancels) scheduler.deliver(cancelMs, undefined, () => callers.cancel(call));
      });
    }
    // Once every run has ended, further faults would meet nothing.
    const busyUntil = 300 + STARTS_MS + CANCELS_MS;
    scheduleFaults(world, random.fork('faults'));
    await scheduler.runUntil(busyUntil);
    await scheduler.runUntil(HEALED_AT + SETTLE_MS, () => isAllOver(world, callers));
    heal(world);
    let isChecked = false;
    const checking = checkAll(world, callers).then(() => {
      isChecked = true;
    });
    await scheduler.runUntil(scheduler.now() + READ_MS, () => isChecked);
    if (!isChecked) violated('the records could not be read');
    else await checking;
    const outcome = {
      seed,
      violations: [...violations],
      hash: trace.hash(),
      events: scheduler.countEvents(),
      trace: trace.lines(),
    };
    for (const one of [...world.replicas, ...world.runners]) world.kill(one);
    return outcome;
  } finally {
    process.off('unhandledRejection', unhandled);
    process.off('uncaughtException', unhandled);
  }
};
