import { chaos, endChaos } from '../support/chaos';

describe('a chaos run', () => {
  afterAll(endChaos);

  it('of 500 executions, with every kind of process killed and frozen, keeps every promise', async () => {
    const { code, text } = await chaos('--executions', '500', '--seed', '1', '--settle-seconds', '60');
    // the whole report, with its seed, is what a failure shows
    expect([code, text]).toEqual([0, text]);
  }, 240_000);
});
