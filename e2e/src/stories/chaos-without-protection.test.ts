import { chaos, endChaos } from '../support/chaos';

describe('a chaos run of a service that lacks a protection', () => {
  afterAll(endChaos);

  // nothing is hurt but runners, by poisoned runs; a short lease has three deaths of theirs fit into the wait
  it.each([
    ['sweeper', 'I9 every run ends'],
    ['fence', 'R3 only the holder of the current fence writes'],
    ['isolation', 'no healthy run is given up'],
  ])(
    'without its %s notices that not "%s"',
    async (protection, check) => {
      const { code, text, failed } = await chaos(
        ...['--without', protection, '--executions', '40', '--load-seconds', '2', '--seed', '3', '--replicas', '1'],
        ...['--faults', 'none', '--lease-seconds', '3', '--settle-seconds', '8', '--patience-seconds', '8'],
      );
      expect([code, failed, text]).toEqual([1, expect.arrayContaining([check]), text]);
    },
    180_000,
  );
});
