import { relative } from 'node:path';

/** How long one test file took. */
export interface FileTime {
  /** Path of its source, from the root of the checkout. */
  readonly path: string;
  readonly seconds: number;
}

const MAX_LISTED = 20;

/** Reads how long each test file took from the JSON report of a jest run. */
export function readFileTimes(json: string, checkout: string): FileTime[] {
  const report: { testResults?: readonly JestFileResult[] } = JSON.parse(json);
  return (report.testResults ?? []).map(({ name, startTime, endTime }) => ({
    path: sourceOf(relative(checkout, name)),
    seconds: (endTime - startTime) / 1000,
  }));
}

/** The slowest files as the lines of a table, slowest first. */
export function slowestFilesLines(files: readonly FileTime[]): string[] {
  const slowest = [...files].sort((one, other) => other.seconds - one.seconds).slice(0, MAX_LISTED);
  return slowest.map(({ path, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${path}`);
}

/** The fields that are read of one file in the report; times are milliseconds of the clock. */
interface JestFileResult {
  readonly name: string;
  readonly startTime: number;
  readonly endTime: number;
}

/** The compiler writes into `dist` of a package, below the path that the source has in the package. */
const sourceOf = (compiled: string): string => compiled.replace('/dist/', '/').replace(/\.js$/, '.ts');
