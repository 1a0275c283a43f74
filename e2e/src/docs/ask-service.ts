import { StackError } from '@weft/local-stack';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createWriteStream, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** How often an operation got an answer with a status, in one phase of schemathesis. */
export interface CountRow {
  readonly operation: string;
  readonly phase: string;
  readonly status: number;
  readonly count: number;
}

/** Result of testing one operation. */
export interface OperationResult {
  readonly operation: string;
  readonly examples: number;
  /** Hash of the documentation of the operation: when it changes, the operation is tested again. */
  readonly documented: string;
  readonly isClean: boolean;
  readonly seconds: number;
  readonly rows: readonly CountRow[];
}

/** The document to test, the program that tests it, and its settings. */
export interface Questions {
  /** Path of the program. */
  readonly schemathesis: string;
  /** Folder of the configuration and the hooks. */
  readonly settings: string;
  /** The document as it is served. */
  readonly url: string;
  readonly apiKey: string;
  /** Ids of deliveries, which requests alone cannot make. */
  readonly deliveries: readonly string[];
  /** Cases for each operation. */
  readonly examples: number;
  /** Where results are kept: an operation with a clean result there is not tested again. */
  readonly results: string;
}

/** Milliseconds for one operation, for each case and in all. */
const CASE_MS = 2_000;
const BASE_MS = 120_000;

const REFERENCE = /"#\/components\/(\w+)\/(\w+)"/g;

/** Hash of some parts of a document, with everything that they refer to. */
export const hashOf = (
  components: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  ...parts: readonly unknown[]
): string => {
  const texts = new Set(parts.map((part) => JSON.stringify(part)));
  // The set grows during the iteration; added members are visited as well.
  for (const text of texts)
    for (const [, group = '', name = ''] of text.matchAll(REFERENCE))
      texts.add(JSON.stringify(components[group]?.[name]));
  return createHash('sha256')
    .update([...texts].sort().join('\n'))
    .digest('base64url');
};

/** Runs schemathesis with its output in a file. @returns whether it ended with 0, in time */
const runInto = (
  file: string,
  { schemathesis, settings, apiKey, deliveries, examples }: Questions,
  counts: string,
  args: readonly string[],
): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const output = createWriteStream(file);
    const child = spawn(schemathesis, ['--config-file', join(settings, 'config.toml'), 'run', ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: BASE_MS + examples * CASE_MS,
      env: {
        ...process.env,
        SCHEMATHESIS_HOOKS: join(settings, 'hooks.py'),
        WEFT_KEY: apiKey,
        WEFT_DELIVERIES: deliveries.join(','),
        WEFT_COUNTS: counts,
      },
    });
    child.stdout.pipe(output, { end: false });
    child.stderr.pipe(output, { end: false });
    child.on('error', (error) => reject(new StackError(`${schemathesis} cannot be run: ${error.message}`)));
    child.on('close', (code) => output.end(() => resolve(code === 0)));
  });

const readCounts = (file: string): CountRow[] => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []);

/** The stored result for an operation, if it was clean and nothing has changed. */
const keptResult = (file: string, documented: string, examples: number): OperationResult | undefined => {
  if (!existsSync(file)) return undefined;
  const kept: OperationResult = JSON.parse(readFileSync(file, 'utf8'));
  return kept.isClean && kept.documented === documented && kept.examples >= examples ? kept : undefined;
};

/**
 * Runs schemathesis unless the result is known, with all checks but the one for status 405, which the specification
 * does not have: a method that a path does not support is 404 with Allow.
 * @param name of the result; the operation, or that of a phase
 */
export const ask = async (
  questions: Questions,
  name: string,
  documented: string,
  args: readonly string[],
): Promise<OperationResult> => {
  const { results, examples, url, apiKey } = questions;
  mkdirSync(results, { recursive: true });
  const file = join(results, `${name}.json`);
  const kept = keptResult(file, documented, examples);
  if (kept !== undefined) return kept;
  const counts = join(results, `${name}.counts.json`);
  const begun = performance.now();
  const isClean = await runInto(join(results, `${name}.log`), questions, counts, [
    ...[url, '-H', `X-SVC-API-KEY: ${apiKey}`, '-c', 'all', '--exclude-checks', 'unsupported_method'],
    ...['-n', String(examples), '--continue-on-failure', ...args],
  ]);
  const seconds = Math.round((performance.now() - begun) / 1_000);
  const result = { operation: name, examples, documented, isClean, seconds, rows: readCounts(counts) };
  writeFileSync(file, JSON.stringify(result));
  return result;
};

/** The line of an operation: how many requests, and how many of each class of status. */
export const lineOf = ({ operation, isClean, seconds, rows }: OperationResult): string => {
  const classes = new Map<string, number>();
  for (const { operation: of, status, count } of rows) {
    const group = of.endsWith('by another method') ? 'other methods' : `${Math.floor(status / 100)}xx`;
    classes.set(group, (classes.get(group) ?? 0) + count);
  }
  const all = [...classes].sort(([one], [other]) => one.localeCompare(other));
  const asked = all.reduce((sum, [group, count]) => sum + (group === 'other methods' ? 0 : count), 0);
  const shares = all.map(([group, count]) => `${group} ${count}`).join(', ');
  return `${isClean ? 'clean ' : 'FAILED'} ${operation}: ${asked} requests in ${seconds} s: ${shares}`;
};
