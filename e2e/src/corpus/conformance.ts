import type { Stack } from '@weft/local-stack';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { conformanceTool, corpus, recordedInternet } from './places';

/** Kinds of cases that the tool can run. */
export type ConformanceMode = 'workflows' | 'expressions' | 'roundtrip';

/** The outcome of one case. */
export interface CaseOutcome {
  /** Path below the corpus; of an expression its id. */
  readonly name: string;
  readonly faults: readonly string[];
}

/** Report of a run of the tool. */
export interface ConformanceReport {
  readonly outcomes: readonly CaseOutcome[];
  /** `METHOD url` of the requests that no recording answers; they got 502. */
  readonly unanswered: readonly string[];
}

/** How the tool runs the cases. */
export interface ConformanceOptions {
  /** How long one execution may take. */
  readonly waitMs: number;
  /** Port of 127.0.0.1 on which the tool answers for the recorded hosts, as an HTTP proxy. */
  readonly proxyPort: number;
  /** Folder of the authority that the services trust, made by `makeAuthority`. */
  readonly authorityFolder: string;
}

interface ReportRow {
  readonly label: string;
  readonly faults: readonly string[];
}

/**
 * Makes the authority behind the recorded hosts in a folder.
 * @returns the path of its certificate, as NODE_EXTRA_CA_CERTS wants it.
 * @throws Error with the tool's output if the command `openssl` is missing.
 */
export const makeAuthority = (folder: string): string =>
  execFileSync(process.execPath, [recordedInternet, folder], { encoding: 'utf8' }).trim();

/**
 * Runs the tool over the whole corpus against a stack and gives the outcome of every case.
 * @throws Error with the tool's output if it wrote no report.
 */
export const runConformance = async (
  stack: Stack,
  mode: ConformanceMode,
  { waitMs, proxyPort, authorityFolder }: ConformanceOptions,
): Promise<ConformanceReport> => {
  const folder = mkdtempSync(join(tmpdir(), 'weft-conformance-'));
  const report = join(folder, 'report.json');
  const options: Readonly<Record<string, string>> = {
    base: stack.baseUrls[0] ?? '',
    key: stack.apiKey,
    cases: corpus,
    report,
    wait: String(waitMs),
    internet: String(proxyPort),
    authority: authorityFolder,
  };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  try {
    const output = await run([conformanceTool, mode, ...args, '--verbose']);
    return { outcomes: outcomesOf(mode, readReport(report, output)), unanswered: unansweredIn(output) };
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

const unansweredIn = (output: string): readonly string[] =>
  output.split('\n').flatMap((line) => /^unanswered (.*)$/.exec(line)?.[1] ?? []);

const outcomesOf = (mode: ConformanceMode, rows: readonly ReportRow[]): readonly CaseOutcome[] =>
  rows.map(({ label, faults }) => ({ name: mode === 'expressions' ? (label.split(' ')[0] ?? label) : label, faults }));
