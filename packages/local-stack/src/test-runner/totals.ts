/** Numbers of tests by result. A test file that could not run counts as one failed test. */
export interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** The totals before any test ran. */
export const NO_TOTALS: Totals = { passed: 0, failed: 0, skipped: 0 };

/** Reads the totals from the JSON report of a jest run. Throws if it is not one. */
export function readTotals(json: string): Totals {
  const report: unknown = JSON.parse(json);
  const suitesThatBroke = countOf(report, 'numRuntimeErrorTestSuites');
  return {
    passed: countOf(report, 'numPassedTests'),
    failed: countOf(report, 'numFailedTests') + suitesThatBroke,
    skipped: countOf(report, 'numPendingTests') + countOf(report, 'numTodoTests'),
  };
}

/** Both together. */
export function addTotals(one: Totals, other: Totals): Totals {
  return { passed: one.passed + other.passed, failed: one.failed + other.failed, skipped: one.skipped + other.skipped };
}

/** The closing line of a test run: `N passed, N failed`, and the skipped ones if there are any. */
export function totalsLine({ passed, failed, skipped }: Totals): string {
  return `${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`;
}

function countOf(report: unknown, name: string): number {
  const value: unknown =
    typeof report === 'object' && report !== null
      ? Object.entries(report).find(([key]) => key === name)?.[1]
      : undefined;
  if (typeof value !== 'number') throw new Error(`The test report lacks ${name}.`);
  return value;
}
