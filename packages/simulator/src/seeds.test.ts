import { runSeeds } from './run-seeds';

const SEEDS = 10;

/** Far above the time of a test on a busy machine. */
const LIMIT_MS = 300_000;

describe('the simulator', () => {
  it(
    'finds no violation in a fixed set of seeds',
    async () => {
      const reports = await runSeeds({ from: 1, count: SEEDS, jobs: 1 });
      expect(reports).toHaveLength(SEEDS);
      expect(reports.flatMap(({ seed, violations }) => violations.map((text) => `seed ${seed}: ${text}`))).toEqual([]);
    },
    LIMIT_MS,
  );

  it(
    'does the same for a seed in every process, whatever it simulated before',
    async () => {
      // In seed 540, a process is killed while a run waits for its thread.
      const after = await runSeeds({ from: 540, count: 2, jobs: 1 });
      const [alone] = await runSeeds({ from: 541, count: 1, jobs: 1 });
      expect(after.at(-1)).toEqual(alone);
      expect(alone?.events).toBeGreaterThan(300);
    },
    LIMIT_MS,
  );
});
