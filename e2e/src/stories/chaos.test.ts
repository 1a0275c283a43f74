import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { checkout } from '../corpus/places';

interface ChaosOutcome {
  readonly code: number | null;
  /** All lines for people, the seed first. */
  readonly text: string;
  /** Names of the checks that failed, each once. */
  readonly failed: readonly string[];
}

/** What `--json` writes, as far as it is read here. */
interface ChaosJson {
  readonly violations: readonly { readonly check: string }[];
}

const children: ChildProcess[] = [];

/** Runs `npm run chaos` without npm. */
const chaos = (...args: readonly string[]): Promise<ChaosOutcome> =>
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
      const { violations }: ChaosJson = json === '' ? { violations: [] } : JSON.parse(json);
      resolve({ code, text, failed: [...new Set(violations.map(({ check }) => check))] });
    });
  });

describe('a chaos run', () => {
  // one that took too long takes its processes along
  afterAll(() => children.forEach((child) => child.kill('SIGTERM')));

  it('of 500 executions, with every kind of process killed and frozen, keeps every promise', async () => {
    const { code, text } = await chaos('--executions', '500', '--seed', '1', '--settle-seconds', '60');
    // the whole report, with its seed, is what a failure shows
    expect([code, text]).toEqual([0, text]);
  }, 240_000);

  // nothing is hurt but runners, by poisoned runs
  it.each([
    ['sweeper', 'I9 every run ends', '40', '2'],
    ['fence', 'R3 only the holder of the current fence writes', '40', '2'],
    ['isolation', 'no healthy run is given up', '40', '2'],
  ])(
    'without its %s notices that not "%s"',
    async (protection, check, executions, seconds) => {
      const { code, text, failed } = await chaos(
        '--without',
        protection,
        '--executions',
        executions,
        '--load-seconds',
        seconds,
        '--seed',
        '3',
        '--replicas',
        '1',
        '--faults',
        'none',
        '--settle-seconds',
        '15',
        '--patience-seconds',
        '15',
      );
      expect([code, failed, text]).toEqual([1, expect.arrayContaining([check]), text]);
    },
    180_000,
  );
});
