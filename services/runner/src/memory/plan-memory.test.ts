import { execFileSync } from 'node:child_process';
import { readComposeLimits, readDeployedLimits, type DeployedLimit } from '@weft/local-stack/deployed-limits';
import { explainMemory, fits, planMemory, type MemorySettings } from './plan-memory';

const SETTINGS: MemorySettings = { sandboxes: 2, sandboxMb: 128 };
const MIB = 2 ** 20;

/** Limits in the deployments of this repository. */
const DEPLOYED: readonly (readonly [what: string, limit: DeployedLimit])[] = [
  ['the manifests', readDeployedLimits().runner],
  ['compose.yaml', readComposeLimits().runner],
];
/** Heap limit in megabytes of this Node with options: above the old generation, as V8 adds the young one. */
const heapWith = (options: string): number =>
  Number(
    execFileSync(process.execPath, ['-p', "require('node:v8').getHeapStatistics().heap_size_limit"], {
      env: { NODE_OPTIONS: options },
    }),
  ) / MIB;

describe('the memory of a runner', () => {
  it.each(DEPLOYED)('fits into the limit of %s, with the heap configured there', (_, { memoryBytes, environment }) => {
    const limitMb = memoryBytes / MIB;
    const machine = { heapMb: heapWith(environment.NODE_OPTIONS), limitMb };
    const { totalMb } = planMemory(SETTINGS, machine);
    expect(totalMb).toBeLessThanOrEqual(limitMb);
    // Little is left, since unused memory is wasted.
    expect(totalMb).toBeGreaterThan(limitMb * 0.9);
  });

  it('gives each process its default without a limit', () => {
    const machine = { heapMb: 1_000, limitMb: undefined };
    expect(planMemory(SETTINGS, machine)).toMatchObject({
      overShareMb: 1_000,
      isolated: 3,
      isolatedMb: 256,
      formatsMb: 512,
    });
  });

  it('fits into the limit for every combination of settings', () => {
    for (const limitMb of [3_072, 3_648, 4_096, 6_144, 8_192])
      for (const heapMb of [384, 512])
        for (const sandboxes of [1, 2])
          for (const sandboxMb of [64, 128]) {
            const machine = { heapMb, limitMb };
            const plan = planMemory({ sandboxes, sandboxMb }, machine);
            expect({ ...plan, limitMb, heapMb, fits: fits(plan, machine) }).toMatchObject({ fits: true });
          }
  });

  it('grows with the available memory, up to the defaults', () => {
    const sizes = [3_648, 4_096, 5_120, 8_192].map((limitMb) => planMemory(SETTINGS, { heapMb: 512, limitMb }));
    const totals = sizes.map(({ totalMb }) => totalMb);
    expect(totals).toEqual([...totals].sort((one, other) => one - other));
    expect(sizes.at(-1)).toMatchObject({ overShareMb: 512, isolated: 3, isolatedMb: 256, formatsMb: 512 });
  });

  it('reduces the number of processes for isolated runs before all are too small', () => {
    expect(planMemory(SETTINGS, { heapMb: 512, limitMb: 3_200 }).isolated).toBeLessThan(3);
  });

  it('reports the sum and what to change if it does not fit', () => {
    const machine = { heapMb: 2_048, limitMb: 2_560 };
    const plan = planMemory(SETTINGS, machine);
    expect(fits(plan, machine)).toBe(false);
    expect(explainMemory(plan, 2_560)).toMatch(/may take \d+ MiB together, and its limit is 2560 MiB/);
    expect(explainMemory(plan, 2_560)).toMatch(
      /Raise the limit, or lower --max-old-space-size .*1 x 2112 MiB: this process/,
    );
  });
});
