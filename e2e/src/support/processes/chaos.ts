import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { checkout } from '../../corpus/places';

/** Result of a chaos run. */
export interface ChaosOutcome {
  readonly code: number | null;
  /** All lines for readers, the seed first. */
  readonly text: string;
  /** Names of the checks that failed, each once. */
  readonly failed: readonly string[];
  /** Executions that were offered to a runner before they were stored. */
  readonly offered: number;
}

/** Output of `--json`, as far as it is read here. */
interface ChaosJson {
  readonly violations: readonly { readonly check: string }[];
  readonly offered: number;
}

const children: ChildProcess[] = [];

/** Runs `npm run chaos` without npm, with the given arguments. */
export const chaos = (...args: readonly string[]): Promise<ChaosOutcome> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(checkout, 'packages/chaos/dist/src/main.js'), '--json', ...args], {
      cwd: checkout,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(child);
    let text = '';
    let json = '';
    child.stdout.on('data', (part: Buffer) => {
      json += part.toString('utf8');
    });
    child.stderr.on('data', (part: Buffer) => {
      text += part.toString('utf8');
    });
    child.once('error', reject);
    child.once('close', (code) => {
      const { violations, offered }: ChaosJson = json === '' ? { violations: [], offered: 0 } : JSON.parse(json);
      resolve({ code, text, failed: [...new Set(violations.map(({ check }) => check))], offered });
    });
  });

/** Ends the runs that took too long for their test, with all their processes. */
export const endChaos = (): void => children.forEach((child) => void child.kill('SIGTERM'));
