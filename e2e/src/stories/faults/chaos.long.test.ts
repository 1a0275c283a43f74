import { chaos, endChaos } from '../../support/processes/chaos';
import { slowness } from '../../support/processes/machine-speed';

/** Lease, load and time to settle of a run on an idle machine. */
const LEASE_SECONDS = 9;
const LOAD_SECONDS = 92;
const SETTLE_SECONDS = 180;

describe('a chaos run', () => {
  afterAll(endChaos);

  it('of 500 executions, with every kind of process killed and frozen, keeps every promise', async () => {
    const factor = await slowness();
    const paced = (seconds: number): string => String(Math.round(seconds * factor));
    const { code, text, offered } = await chaos(
      ...['--executions', '500', '--seed', '1', '--settle-seconds', paced(SETTLE_SECONDS)],
      ...['--lease-seconds', paced(LEASE_SECONDS), '--load-seconds', paced(LOAD_SECONDS)],
    );
    // the whole report, with its seed: a failure shows it as the difference
    expect({ code, factor, report: code === 0 ? '' : text }).toEqual({ code: 0, factor, report: '' });
    expect(offered).toBeGreaterThan(0);
  }, 1_800_000);
});
