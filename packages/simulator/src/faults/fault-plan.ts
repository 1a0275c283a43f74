import type { Random } from '../time/random';
import type { World } from '../world/world';
import { calm } from '../network/faults';
import { type Fault, FAULTS } from './fault-kinds';

/** Virtual time in which faults begin. */
const FAULTS_MS = 7_000;

/** Virtual time after which nothing fails any more. */
export const HEALED_AT = 24_000;

const TOTAL = FAULTS.reduce((sum, { weight }) => sum + weight, 0);

const pickFault = (random: Random): Fault => {
  let left = random.next() * TOTAL;
  for (const fault of FAULTS) {
    left -= fault.weight;
    if (left < 0) return fault;
  }
  return random.pick(FAULTS);
};

/** Maximum deaths of runners in one simulation: a run that was isolated in more of them may be given up. */
const MAX_DEATHS = 3;

/** Schedules the faults of a seed, and the end of all faults. */
export const scheduleFaults = (world: World, random: Random): void => {
  const { scheduler } = world;
  const count = random.between(0, 6);
  let deaths = 0;
  for (let index = 0; index < count; index += 1) {
    const fault = pickFault(random);
    if (fault.killsRunner === true && (deaths += 1) > MAX_DEATHS) continue;
    const at = 500 + random.next() * FAULTS_MS;
    scheduler.deliver(at, undefined, () => {
      world.failing.since = Math.min(world.failing.since, scheduler.now());
      fault.begin(world, random);
    });
  }
  scheduler.deliver(HEALED_AT, undefined, () => heal(world));
};

/** Ends all faults, and starts what is not running. */
export const heal = (world: World): void => {
  const { weather, storeWeather, replicas, runners, broker, trace } = world;
  trace.note('nothing fails any more');
  world.ambushes.length = 0;
  for (const one of [weather.calls, weather.broker, storeWeather]) Object.assign(one, calm(one.ms));
  Object.assign(storeWeather, { refusedBefore: 0, refusedAfter: 0, refusedRows: 0 });
  broker.setUp(true, false);
  for (const one of [...replicas, ...runners]) if (one !== undefined) one.process.wallErrorMs = 0;
  for (const index of replicas.keys()) world.startReplica(index);
  for (const index of runners.keys()) world.startRunner(index);
};
