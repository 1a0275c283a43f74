import { availableParallelism } from 'node:os';
import { MUTATIONS } from './mutations/mutations';
import { runSeeds } from './run-seeds';

const SEEDS = 3_000;

describe('the simulator', () => {
  it('finds no violation in many seeds', async () => {
    const reports = await runSeeds({ from: 1, count: SEEDS, jobs: availableParallelism() });
    expect(reports).toHaveLength(SEEDS);
    expect(reports.flatMap(({ seed, violations }) => violations.map((text) => `seed ${seed}: ${text}`))).toEqual([]);
  }, 1_200_000);

  it.each(MUTATIONS.filter(({ isRare }) => isRare !== true).map(({ name }) => name))(
    'notices when a protection is removed: %s',
    async (mutation) => {
      const jobs = availableParallelism();
      const reports = await runSeeds({ from: 1, count: 2_000, jobs, mutation, stopsAtFirst: true });
      expect(reports.some(({ violations }) => violations.length > 0)).toBe(true);
    },
    1_200_000,
  );
});
