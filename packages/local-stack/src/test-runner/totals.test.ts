import { addTotals, readTotals, totalsLine } from './totals';

describe('totalsLine', () => {
  it('has the expected form, alone on its line', () => {
    expect(totalsLine({ passed: 12, failed: 0, skipped: 0 })).toBe('12 passed, 0 failed');
  });

  it('names skipped tests only if there are any', () => {
    expect(totalsLine({ passed: 1, failed: 2, skipped: 3 })).toBe('1 passed, 2 failed, 3 skipped');
  });
});

describe('readTotals', () => {
  const report = {
    numPassedTests: 5,
    numFailedTests: 1,
    numPendingTests: 2,
    numTodoTests: 1,
    numRuntimeErrorTestSuites: 0,
  };

  it('counts tests marked as to do among the skipped', () => {
    expect(readTotals(JSON.stringify(report))).toEqual({ passed: 5, failed: 1, skipped: 3 });
  });

  it('counts a file that could not run as a failed test', () => {
    expect(readTotals(JSON.stringify({ ...report, numRuntimeErrorTestSuites: 2 }))).toEqual({
      passed: 5,
      failed: 3,
      skipped: 3,
    });
  });

  it.each(['{}', '[]', 'null'])('refuses %s, which is not a report', (text) => {
    expect(() => readTotals(text)).toThrow('The test report lacks numRuntimeErrorTestSuites.');
  });
});

describe('addTotals', () => {
  it('adds each count', () => {
    expect(addTotals({ passed: 1, failed: 2, skipped: 3 }, { passed: 10, failed: 20, skipped: 30 })).toEqual({
      passed: 11,
      failed: 22,
      skipped: 33,
    });
  });
});
