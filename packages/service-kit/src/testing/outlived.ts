import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What V8 marks all of the heap to free; large objects among it. */
const OLD_SPACES: ReadonlySet<string> = new Set(['old_space', 'large_object_space']);

const oldBytes = (): number =>
  getHeapSpaceStatistics()
    .filter(({ space_name: name }) => OLD_SPACES.has(name))
    .reduce((sum, { space_used_size: bytes }) => sum + bytes, 0);

type Collect = (options?: { readonly type: 'minor' }) => void;

const isCollect = (value: unknown): value is Collect => typeof value === 'function';

const collector = (): Collect => {
  // What outlives its turns in one measurement would be allocated old in the next, whatever becomes of it there.
  setFlagsFromString('--no-allocation-site-pretenuring');
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (!isCollect(collect)) throw new Error('This V8 gives nobody its collector.');
  return collect;
};

/** Turns between two collections of the young generation, of which an object that has lived through two is old. */
const TURNS = 20;

/**
 * Bytes that a turn leaves in the old generation of the heap, where they stay until V8 marks all of it: on average over
 * so many turns, after as many without counting. What a turn gives up should be collected young.
 * @param turn one at a time; may leave something to the next
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
  // What lives now is old from here on, as everything is that a service has at its start.
  collect();
  collect();
  const before = oldBytes();
  await make(turns);
  collect({ type: 'minor' });
  collect({ type: 'minor' });
  return Math.max(0, oldBytes() - before) / turns;
};
