import type { Stack } from '@weft/local-stack';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { conformanceTool, corpus } from './places';

/** Kinds of cases that the tool can run. */
export type ConformanceMode = 'workflows' | 'expressions' | 'roundtrip';

/** The outcome of one case. */
export interface CaseOutcome {
  /** Path below the corpus; of an expression its id. */
  readonly name: string;
  readonly faults: readonly string[];
}

interface ReportRow {
  readonly label: string;
  readonly faults: readonly string[];
}

/**
 * Runs the tool over the whole corpus against a stack and gives the outcome of every case.
 * @param waitMs how long one execution may take.
 * @throws Error with the tool's output if it wrote no report.
 */
export const runConformance = async (
  stack: Stack,
  mode: ConformanceMode,
  waitMs = 20_000,
): Promise<readonly CaseOutcome[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'weft-conformance-'));
  try {
    const report = join(folder, 'report.json');
    const output = await run([
      conformanceTool,
      mode,
      '--base',
      stack.baseUrls[0] ?? '',
      '--key',
      stack.apiKey,
      '--cases',
      corpus,
      '--report',
      report,
      '--wait',
      String(waitMs),
    ]);
    return outcomesOf(mode, readReport(report, output));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const run = (args: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args);
    let output = '';
    child.stdout.on('data', (part: Buffer) => {
      output += part.toString('utf8');
    });
    child.stderr.on('data', (part: Buffer) => {
      output += part.toString('utf8');
    });
    child.once('error', reject);
    child.once('close', () => resolve(output));
  });

const readReport = (file: string, output: string): readonly ReportRow[] => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new Error(`The conformance tool wrote no report. It said:\n${output.slice(-2_000)}`);
  }
};

const outcomesOf = (mode: ConformanceMode, rows: readonly ReportRow[]): readonly CaseOutcome[] =>
  rows.map(({ label, faults }) => ({ name: mode === 'expressions' ? (label.split(' ')[0] ?? label) : label, faults }));
