import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { checkout } from '../corpus/places';

interface ChaosOutcome {
  readonly code: number | null;
  /** All lines for people, the seed first. */
  readonly text: string;
}

const children: ChildProcess[] = [];

/** Runs `npm run chaos` without npm. */
const chaos = (...args: readonly string[]): Promise<ChaosOutcome> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(checkout, 'packages/chaos/dist/src/main.js'), '--json', ...args], { cwd: checkout, stdio: ['ignore', 'ignore', 'pipe'] });
    children.push(child);
    let text = '';
    child.stderr.on('data', (part: Buffer) => { text += part.toString('utf8'); });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, text }));
  });

describe('a chaos run', () => {
  // one that took too long takes its processes along
  afterAll(() => children.forEach((child) => child.kill('SIGTERM')));

  it('of 500 executions, with every kind of process killed and frozen, keeps every promise', async () => {
    const { code, text } = await chaos('--executions', '500', '--seed', '1', '--settle-seconds', '60');
    // the whole report, with its seed, is what a failure shows
    expect([code, text]).toEqual([0, text]);
  }, 240_000);
});
