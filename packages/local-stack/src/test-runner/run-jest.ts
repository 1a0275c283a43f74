import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileCache } from '../places';
import { readFileTimes } from './slowest-files';
import type { FileTime } from './slowest-files';
import type { Totals } from './totals';
import { NO_TOTALS, readTotals } from './totals';

/** The layers of tests, in the order they run. */
export const LAYERS = ['unit', 'service', 'e2e'] as const;

/** One layer of tests: two projects of jest.config.js, the second with the long files. */
export type Layer = (typeof LAYERS)[number];

/** Test files at once, for two cores: those of services and stories wait for about half of their time. */
const WORKERS: Readonly<Record<Layer, number>> = { unit: 2, service: 4, e2e: 3 };

/** The same for long files, many of which load the machine themselves. */
const LONG_WORKERS: Readonly<Record<Layer, number>> = { unit: 2, service: 3, e2e: 2 };

/** Settings of one run of jest. */
export interface JestRun {
  readonly checkout: string;
  readonly layer: Layer;
  /** Whether to run the files named `*.long.test.ts` instead of the others. */
  readonly isLong: boolean;
  /** Further arguments, such as the path of a test file. */
  readonly args: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  /** Ends jest when it is aborted. */
  readonly signal: AbortSignal;
}

/** Outcome of one run of jest, or of several. */
export interface JestOutcome {
  readonly totals: Totals;
  readonly files: readonly FileTime[];
  /** Whether jest itself failed, beyond failed tests. */
  readonly isBroken: boolean;
}

/** Runs the tests of one layer, which print as they go. */
export async function runJest(run: JestRun): Promise<JestOutcome> {
  const folder = mkdtempSync(join(tmpdir(), 'weft-jest-'));
  try {
    const reportFile = join(folder, 'report.json');
    const code = await spawnJest(run, reportFile);
    if (!existsSync(reportFile)) return { totals: NO_TOTALS, files: [], isBroken: true };
    const report = readFileSync(reportFile, 'utf8');
    const totals = readTotals(report);
    return { totals, files: readFileTimes(report, run.checkout), isBroken: code !== 0 && totals.failed === 0 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function spawnJest(
  { checkout, layer, isLong, args, environment, signal }: JestRun,
  reportFile: string,
): Promise<number> {
  // a worker retains something of every file that it has run, and gets slow with it; of stories it retains their stack
  const renewal = layer === 'e2e' ? [] : ['--workerIdleMemoryLimit=400MB'];
  const own = [
    ...[
      '--selectProjects',
      isLong ? `${layer}-long` : layer,
      '--passWithNoTests',
      '--json',
      `--outputFile=${reportFile}`,
    ],
    ...[`--maxWorkers=${(isLong ? LONG_WORKERS : WORKERS)[layer]}`, ...renewal],
  ];
  const jest = join(checkout, 'node_modules/jest/bin/jest.js');
  // no --enable-source-maps: jest maps the lines of a stack trace itself, when there is one
  const nodeArgs = [jest, ...own, ...args];
  return new Promise((settle) => {
    // jest prints the report to its standard output too, which is not needed
    const child = spawn(process.execPath, nodeArgs, {
      cwd: checkout,
      env: { ...environment, NODE_COMPILE_CACHE: compileCache(checkout) },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const end = (): boolean => child.kill('SIGTERM');
    signal.addEventListener('abort', end, { once: true });
    child.once('error', () => settle(-1));
    child.once('exit', (code) => {
      signal.removeEventListener('abort', end);
      settle(code ?? -1);
    });
  });
}
