import { chaos, endChaos } from '../support/chaos';

describe('a chaos run of a service that lacks a protection', () => {
  afterAll(endChaos);

  // Only runners are killed, by poisoned runs; without a sweeper some runs cannot end, so no caller waits for them.
  // Seed 22 starts five runs of 4 s around the poisoned one, so that it meets some at any pace of the machine.
  it.each([
    ['sweeper', 'I9 every run ends', '8'],
    ['fence', 'R3 only the holder of the current fence writes', '90'],
    ['isolation', 'no healthy run is given up', '90'],
  ])('without its %s notices that not "%s"', async (protection, check, seconds) => {
    const { code, text, failed } = await chaos(
      ...['--without', protection, '--executions', '40', '--load-seconds', '2', '--seed', '22', '--replicas', '1'],
      ...['--faults', 'none', '--lease-seconds', '3', '--settle-seconds', seconds, '--patience-seconds', seconds],
    );
    const isNoticed = code === 1 && failed.includes(check);
    // the whole report is what a failure shows
    expect({ code, failed, report: isNoticed ? '' : text }).toEqual({
      code: 1,
      failed: expect.arrayContaining([check]),
      report: '',
    });
  });
});
