import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Heap spaces that are only freed by marking the whole heap, large objects included. */
const OLD_SPACES: ReadonlySet<string> = new Set(['old_space', 'large_object_space']);

const oldBytes = (): number =>
  getHeapSpaceStatistics()
    .filter(({ space_name: name }) => OLD_SPACES.has(name))
    .reduce((sum, { space_used_size: bytes }) => sum + bytes, 0);

type Collect = (options?: { readonly type: 'minor' }) => void;

const isCollect = (value: unknown): value is Collect => typeof value === 'function';

const collector = (): Collect => {
  // Objects that survive in one measurement would otherwise be pretenured in the next.
  setFlagsFromString('--no-allocation-site-pretenuring');
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (!isCollect(collect)) throw new Error('This V8 does not expose its collector.');
  return collect;
};

/** Iterations between two minor collections. An object that survives two of them is promoted. */
const TURNS = 20;

/**
 * Measures bytes that an iteration leaves in the old generation, where they stay until V8 marks the whole heap: an
 * average over `turns` iterations, after as many for warm-up. Garbage of an iteration should be collected young.
 * @param turn runs one iteration; may leave something for the next one
 */
export const bytesOutlived = async (turns: number, turn: (index: number) => unknown): Promise<number> => {
  const collect = collector();
  const make = async (from: number): Promise<void> => {
    for (let index = from; index < from + turns; index += 1) {
      await turn(index);
      if (index % TURNS === 0) collect({ type: 'minor' });
    }
  };
  await make(0);
  // Everything alive now is old from here on, like everything a service has at its start.
  collect();
  collect();
  const before = oldBytes();
  await make(turns);
  collect({ type: 'minor' });
  collect({ type: 'minor' });
  return Math.max(0, oldBytes() - before) / turns;
};
