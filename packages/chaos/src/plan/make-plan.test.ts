import { isRefusalOfContent } from '@weft/service-kit/mongo';
import type { Fault } from './fault';
import { makePlan } from './make-plan';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const faultsOf = (seed: number): Fault[] =>
  makePlan({ seed, executions: 100, leaseMs: 9_000, replicas: 2 }).faults.map(({ fault }) => fault);

const seeds = Array.from({ length: 200 }, (_, seed) => seed);

const stepsOf = (seed: number) => faultsOf(seed).flatMap((fault) => (fault.kind === 'step-clock' ? [fault] : []));

describe('a plan of faults', () => {
  it('is the same for the same seed', () => {
    expect(faultsOf(7)).toEqual(faultsOf(7));
    expect(faultsOf(7)).not.toEqual(faultsOf(8));
  });

  it.each(seeds.slice(0, 20))(
    'fails the store of executions and of another service, and fills the disk: seed %i',
    (seed) => {
      const faults = faultsOf(seed);
      const stores = faults.flatMap((fault) => (fault.kind === 'store-errors' ? [fault.store] : []));
      expect(stores).toHaveLength(2);
      expect(stores).toContain('executions');
      expect(faults.filter(({ kind }) => kind === 'full-disk')).toHaveLength(1);
    },
  );

  it('refuses content only where the store refuses everything', () => {
    const errors = seeds.flatMap(faultsOf).flatMap((fault) => (fault.kind === 'store-errors' ? [fault.errors] : []));
    const refusals = errors.filter(({ code }) => isRefusalOfContent({ code }));
    expect(refusals.length).toBeGreaterThan(0);
    expect(new Set(refusals.map(({ share }) => share))).toEqual(new Set([1]));
    expect(new Set(errors.map(({ share }) => share)).size).toBeGreaterThan(1);
  });

  it('steps a clock ahead and one back in each round, by 90 s to 16 days', () => {
    for (const seed of seeds) {
      const steps = stepsOf(seed).map(({ stepMs }) => stepMs);
      expect(steps.map(Math.sign).sort()).toEqual([-1, 1]);
      for (const stepMs of steps.map(Math.abs)) {
        expect(stepMs).toBeGreaterThanOrEqual(1.5 * MINUTE_MS);
        expect(stepMs).toBeLessThanOrEqual(16 * DAY_MS);
      }
    }
  });

  it('never sets the clock of a runner ahead, which would make its Wait nodes wait as long', () => {
    const ahead = seeds.flatMap(stepsOf).filter(({ stepMs }) => stepMs > 0);
    expect(ahead.map(({ target }) => target.service)).not.toContain('runner');
    expect(seeds.flatMap(stepsOf).map(({ target }) => target.service)).toContain('runner');
  });
});
