import type { Random } from '../time/random';
import type { Moment } from '../checks/monitor';
import type { Started } from '../world/processes';
import type { World } from '../world/world';

/** One fault, and how it ends. */
export interface Fault {
  readonly name: string;
  /** True if a runner dies of it: its runs may be isolated. */
  readonly killsRunner?: true;
  readonly weight: number;
  readonly begin: (world: World, random: Random) => void;
}

const CODES = [1, 2, 6, 9, 14, 91, 112, 189, 251, 10_334, 11_600, 14_031, 16_500, 17_419, 50_840];
const DAY_MS = 24 * 3_600_000;

const restartLater = (world: World, random: Random, start: () => void): void =>
  world.scheduler.deliver(random.pick([300, 1_500, 5_000, 10_000]) * (0.5 + random.next()), undefined, start);

const alive = (started: readonly (Started | undefined)[]): number[] =>
  started.flatMap((one, index) => (one?.process.isAlive === true ? [index] : []));

/** Runs a function on one of the running processes, unless all have ended. */
const onOne = (
  started: readonly (Started | undefined)[],
  random: Random,
  use: (index: number, one: Started) => void,
): void => {
  const indexes = alive(started);
  if (indexes.length === 0) return;
  const index = random.pick(indexes);
  const one = started[index];
  if (one !== undefined) use(index, one);
};

/** Milliseconds of a freeze: short, about as long as it takes to lose a run, or much longer. */
const frozenMs = ({ sizes }: World, random: Random): number =>
  sizes.leaseMs * random.pick([0.1, 1.3, 1.5, 4]) * (0.9 + 0.3 * random.next());

/** Waits for a moment in the life of a run. */
const ambush = (world: World, random: Random, moments: readonly Moment[], begin: (holder: string) => void): void =>
  void world.ambushes.push({ moment: random.pick(moments), begin });

const killRunner = (world: World, random: Random, index: number): void => {
  world.kill(world.runners[index]);
  restartLater(world, random, () => world.startRunner(index));
};

const killReplica = (world: World, random: Random, index: number): void => {
  world.kill(world.replicas[index]);
  restartLater(world, random, () => world.startReplica(index));
};

const freeze = (world: World, random: Random, { process }: Started): void => {
  const ms = frozenMs(world, random);
  world.trace.note(`freeze ${process.name} for ${ms.toFixed(0)} ms`);
  process.frozenUntil = world.scheduler.now() + ms;
};

/** Index of the runner whose main process holds a run; -1 for a child process, or without a holder. */
const runnerOf = ({ runners, children }: World, holder: string): number =>
  runners.findIndex((one) => one !== undefined && children.idOf(one.process) === holder);

/** Stops a process as SIGTERM does; it ends when it has stopped, or after a limit. */
const stopGently = (world: World, one: Started, then: () => void): void => {
  const { scheduler, trace, kill } = world;
  if (one.stop === undefined) return;
  trace.note(`stop ${one.process.name}`);
  let isOver = false;
  const over = (): void => {
    if (isOver) return;
    isOver = true;
    kill(one);
    scheduler.deliver(200, undefined, then);
  };
  one.stop().then(over, over);
  scheduler.deliver(20_000, undefined, over);
};

/** Changes a kind of connection for a while: 0.5 to 9.5 s unless `ms` is given. */
const disturb = <Disturbed extends object>(
  { scheduler, trace }: World,
  random: Random,
  name: string,
  weather: Disturbed,
  change: Partial<Disturbed>,
  ms = 500 + random.next() * 9_000,
): void => {
  const before = { ...weather };
  Object.assign(weather, change);
  trace.note(`${name} ${JSON.stringify(change)} for ${ms.toFixed(0)} ms`);
  scheduler.deliver(ms, undefined, () => void Object.assign(weather, before));
};

/** The faults, and how often each is chosen. */
export const FAULTS: readonly Fault[] = [
  {
    name: 'kill a runner',
    killsRunner: true,
    weight: 6,
    begin: (world, random) => onOne(world.runners, random, (index) => killRunner(world, random, index)),
  },
  {
    name: 'kill a replica',
    weight: 4,
    begin: (world, random) => onOne(world.replicas, random, (index) => killReplica(world, random, index)),
  },
  {
    name: 'kill a runner at a moment',
    killsRunner: true,
    weight: 8,
    begin: (world, random) =>
      ambush(world, random, ['claim', 'checkpoint', 'checkpoint'], (holder) => {
        const index = runnerOf(world, holder);
        if (index !== -1) killRunner(world, random, index);
      }),
  },
  {
    name: 'freeze a runner at a moment',
    weight: 4,
    begin: (world, random) =>
      ambush(world, random, ['claim', 'checkpoint'], (holder) => {
        const one = world.runners[runnerOf(world, holder)];
        if (one !== undefined) freeze(world, random, one);
      }),
  },
  {
    name: 'kill a replica at a moment',
    weight: 5,
    begin: (world, random) =>
      ambush(world, random, ['insert', 'queue', 'end', 'end'], () =>
        onOne(world.replicas, random, (index) => killReplica(world, random, index)),
      ),
  },
  {
    name: 'stop a runner',
    weight: 2,
    begin: (world, random) =>
      onOne(world.runners, random, (index, one) => stopGently(world, one, () => world.startRunner(index))),
  },
  {
    name: 'stop a replica',
    weight: 2,
    begin: (world, random) =>
      onOne(world.replicas, random, (index, one) => stopGently(world, one, () => world.startReplica(index))),
  },
  {
    name: 'freeze',
    weight: 4,
    begin: (world, random) =>
      onOne(random.chance(0.6) ? world.runners : world.replicas, random, (_, one) => freeze(world, random, one)),
  },
  {
    name: 'break connections',
    weight: 3,
    begin: (world, random) =>
      onOne(random.chance(0.6) ? world.runners : world.replicas, random, (_, { process }) => {
        world.trace.note(`break the connections of ${process.name}`);
        world.breakConnections(process);
      }),
  },
  {
    name: 'lossy calls',
    weight: 4,
    begin: (world, random) => {
      const kind = random.pick(['lost', 'broken'] as const);
      if (kind === 'broken') world.early.until = world.scheduler.now() + 25_000;
      disturb(world, random, 'calls', world.weather.calls, { [kind]: random.pick([0.05, 0.2, 0.6, 1]) });
    },
  },
  {
    name: 'slow calls',
    weight: 4,
    begin: (world, random) =>
      disturb(world, random, 'calls', world.weather.calls, { slow: 0.3, slowMs: random.pick([200, 3_000, 12_000]) }),
  },
  {
    name: 'store errors',
    weight: 5,
    begin: (world, random) => {
      const kind = random.pick(['refusedBefore', 'refusedAfter', 'refusedRows'] as const);
      const codes = random.chance(0.5) ? CODES : [random.pick(CODES)];
      const change = { [kind]: random.pick([0.1, 0.4, 1]), codes };
      const ms = random.pick([1_000, 4_000, 13_000]) * (0.5 + random.next());
      disturb(world, random, 'store', world.storeWeather, change, ms);
    },
  },
  {
    name: 'unreachable store',
    weight: 3,
    begin: (world, random) =>
      disturb(world, random, 'store', world.storeWeather, { broken: random.pick([0.1, 0.5, 1]) }),
  },
  {
    name: 'slow store',
    weight: 2,
    begin: (world, random) =>
      disturb(world, random, 'store', world.storeWeather, { slow: 0.5, slowMs: random.pick([300, 2_000]) }),
  },
  {
    name: 'broker',
    weight: 3,
    begin: (world, random) => {
      const isWiped = random.chance(0.5);
      world.trace.note(`the broker is down${isWiped ? ', and loses its messages' : ''}`);
      world.broker.setUp(false, isWiped);
      world.scheduler.deliver(1_000 + random.next() * 9_000, undefined, () => world.broker.setUp(true, false));
    },
  },
  {
    name: 'lossy broker',
    weight: 2,
    begin: (world, random) => disturb(world, random, 'broker', world.weather.broker, { lost: random.pick([0.2, 1]) }),
  },
  {
    name: 'wall clock',
    weight: 2,
    begin: (world, random) =>
      onOne(random.chance(0.5) ? world.runners : world.replicas, random, (_, { process }) => {
        process.wallErrorMs = random.pick([-16 * DAY_MS, -90_000, -5_000, 5_000, 90_000, 16 * DAY_MS]);
        world.trace.note(`the clock of ${process.name} is wrong by ${process.wallErrorMs} ms`);
      }),
  },
];
