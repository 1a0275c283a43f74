import type { ProcessExit } from '../domain/claims/process-exit';
import { createExitReports } from './exit-reports';

describe('the report that a process has exited', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('is repeated until it is answered, and given up after 20 times', async () => {
    const sent: ProcessExit[] = [];
    const warnings: unknown[] = [];
    let failures = 2;
    const reports = createExitReports(
      async (exit) => {
        sent.push(exit);
        failures -= 1;
        if (failures >= 0) throw new Error('away');
      },
      { warn: (facts: unknown) => warnings.push(facts) },
    );
    reports.report({});
    await jest.advanceTimersByTimeAsync(10_000);
    expect(sent).toEqual([{}, {}, {}]);
    failures = 1_000;
    reports.report({ endedRunnerId: 'r.1.x' });
    await jest.advanceTimersByTimeAsync(60_000);
    expect([sent.length, warnings]).toEqual([23, [{ endedRunnerId: 'r.1.x', why: 'away' }]]);
    reports.report({ endedRunnerId: 'r.1.y' });
    await jest.advanceTimersByTimeAsync(0);
    reports.stop();
    await jest.advanceTimersByTimeAsync(60_000);
    expect([sent.length, warnings.length]).toEqual([24, 1]);
  });
});
