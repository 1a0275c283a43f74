import { chaos, endChaos, type ChaosOutcome } from '../../support/processes/chaos';

/** A protection, the check that notices its absence, and how many seconds to wait for ends that never come. */
const CASES = [
  { protection: 'sweeper', check: 'I9 every run ends', seconds: '8' },
  { protection: 'fence', check: 'R3 only the holder of the current fence writes', seconds: '90' },
  { protection: 'isolation', check: 'no healthy run is given up', seconds: '90' },
] as const;

describe('a chaos run of a service that lacks a protection', () => {
  const outcomes = new Map<string, Promise<ChaosOutcome>>();

  // At once: each has a separate stack and mostly waits for leases to expire.
  // Only runners are killed, by poisoned runs; without a sweeper some runs cannot end, so no caller waits for them.
  // Seed 22 starts five runs of 4 s around the poisoned one, so that it meets some at any pace of the machine.
  beforeAll(() => {
    for (const { protection, seconds } of CASES) {
      const outcome = chaos(
        ...['--without', protection, '--executions', '40', '--load-seconds', '2', '--seed', '22', '--replicas', '1'],
        ...['--faults', 'none', '--lease-seconds', '3', '--settle-seconds', seconds, '--patience-seconds', seconds],
      );
      outcome.catch(() => undefined);
      outcomes.set(protection, outcome);
    }
  });
  afterAll(endChaos);

  it.each(CASES)('without its $protection notices that not "$check"', async ({ protection, check }) => {
    const outcome = await outcomes.get(protection);
    const isNoticed = outcome?.code === 1 && outcome.failed.includes(check);
    // the whole report: a failure shows it as the difference
    expect({ code: outcome?.code, failed: outcome?.failed, report: isNoticed ? '' : outcome?.text }).toEqual({
      code: 1,
      failed: expect.arrayContaining([check]),
      report: '',
    });
  });
});
