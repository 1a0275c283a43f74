import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findPlaces } from '../src/places';
import { freePorts } from '../src/processes/free-port';
import { waitUntil } from '../src/wait-until';

const START = join(__dirname, '../src/commands/start-main.js');

describe('npm start -- --demo', () => {
  const data = mkdtempSync(join(tmpdir(), 'weft-demo-'));
  let output = '';
  let stop: () => Promise<void>;
  beforeAll(async () => {
    const ports = await freePorts(5);
    const names = ['PORT', 'WORKFLOWS_PORT', 'EXECUTIONS_PORT', 'CREDENTIALS_PORT', 'RUNNER_PORT'];
    const chosen = Object.fromEntries(names.map((name, index) => [name, String(ports[index])]));
    const child = spawn(process.execPath, [START, '--demo'], {
      env: { ...process.env, MONGODB_URI: '', NATS_URL: '', WEFT_DATA: data, ...chosen },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (part: string) => (output += part));
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
    stop = () => {
      child.kill('SIGTERM');
      return ended;
    };
    await waitUntil(() => output.includes('A form to fill in') || child.exitCode !== null, { limitMs: 120_000 });
  });
  afterAll(async () => {
    await stop();
    rmSync(data, { recursive: true, force: true });
  });

  it('installs the examples and prints three commands that work as they are printed', async () => {
    expect(output).toContain('The examples are installed: 12 workflows, 3 of them active.');
    const commands = output.split('\n').filter((line) => /^ {2}curl -sS .*(?:examples|backfill|limit=5)/.test(line));
    expect(commands).toHaveLength(3);
    const run = async (command = ''): Promise<unknown> => {
      const { stdout } = await promisify(execFile)('bash', ['-c', command], { cwd: findPlaces({}).checkout });
      return JSON.parse(stdout);
    };
    expect(await run(commands[0])).toMatchObject({ imported: 3, rejectedCount: 1 });
    expect(await run(commands[1])).toMatchObject({ data: { total: 2 } });
    const runs = async () => run(commands[2]);
    const isDone = async (): Promise<boolean> => {
      const text = JSON.stringify(await runs());
      return (text.match(/"status":"success"/g) ?? []).length === 3;
    };
    expect(await waitUntil(isDone, { limitMs: 30_000 })).toBe(true);
  });
});
