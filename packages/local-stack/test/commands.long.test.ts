import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { waitUntil } from '../src/wait-until';

const COMMANDS = join(__dirname, '../src/commands');

interface Run {
  readonly child: ChildProcess;
  /** Everything it printed so far. */
  readonly output: () => string;
  readonly code: Promise<number | null>;
}

function spawnCommand(command: string, data: string, variables: Record<string, string> = {}, ...args: string[]): Run {
  const env = { ...process.env, MONGODB_URI: '', NATS_URL: '', WEFT_DATA: data, ...variables };
  const child = spawn(process.execPath, [join(COMMANDS, `${command}.js`), ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => (text += part));
  return { child, output: () => text, code: new Promise((settle) => child.once('close', settle)) };
}

async function ready({ output, child }: Run): Promise<void> {
  const isReady = await waitUntil(() => output().includes('ready') || (child.exitCode !== null && 'ended'), {
    limitMs: 60_000,
  });
  if (isReady !== true) throw new Error(`It did not get ready: ${output()}`);
}

/** Ends the processes of a failed test, with the servers that it started. */
async function endRun({ child, code }: Run): Promise<void> {
  child.kill('SIGTERM');
  await code;
}

describe('a command', () => {
  let data: string;
  const runs: Run[] = [];
  const clients: MongoClient[] = [];
  const run: typeof spawnCommand = (...started) => {
    const one = spawnCommand(...started);
    runs.push(one);
    return one;
  };
  const connect = async (uri: string): Promise<MongoClient> => {
    const client = await MongoClient.connect(uri);
    clients.push(client);
    return client;
  };
  beforeEach(() => (data = mkdtempSync(join(tmpdir(), 'weft-command-'))));
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
    await Promise.all(runs.splice(0).map(endRun));
    rmSync(data, { recursive: true, force: true });
  });

  const uriOf = ({ output }: Run): string => /MONGODB_URI=(\S+)/.exec(output())?.[1] ?? '';

  it('still has all acknowledged writes after a SIGKILL that left its servers behind', async () => {
    const first = run('servers-main', data);
    await ready(first);
    const client = await connect(uriOf(first));
    const things = client.db('kept').collection<{ _id: number }>('things');
    for (let id = 0; id < 20; id++) await things.insertOne({ _id: id });
    first.child.kill('SIGKILL');
    await first.code;

    const second = run('servers-main', data);
    await ready(second);
    expect(second.output()).toMatch(/ended what an earlier start had left running: .*nats/);
    const again = await connect(uriOf(second));
    expect(await again.db('kept').collection('things').countDocuments()).toBe(20);
    second.child.kill('SIGTERM');
    expect(await second.code).toBe(0);
  });

  it('refuses a data folder in use and names the process that uses it', async () => {
    const first = run('servers-main', data);
    await ready(first);
    const second = run('servers-main', data);
    expect(await second.code).toBe(1);
    expect(second.output()).toBe(
      `Process ${first.child.pid} already runs a stack on the data folder ${data}. Stop it, or name another ` +
        'folder in WEFT_DATA.\n',
    );
    first.child.kill('SIGINT');
    expect(await first.code).toBe(0);
  });

  it('names a taken port and its variable before it starts anything', async () => {
    const server = createServer();
    await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    // The first port that is checked: another stack on this machine may have the others.
    const start = run('start-main', data, { CREDENTIALS_PORT: String(port) });
    const code = await start.code.finally(() => server.close());
    expect(code).toBe(1);
    expect(start.output()).toContain(
      `Port ${port}, on which credentials is to listen, is taken. Set CREDENTIALS_PORT to a free one, or stop ` +
        'what listens there.\n',
    );
  });

  it('says that the database named in MONGODB_URI is dead, without its password', async () => {
    const start = run('servers-main', data, { MONGODB_URI: 'mongodb://user:hidden@127.0.0.1:9/' });
    expect(await start.code).toBe(1);
    expect(start.output()).toMatch(
      /^No MongoDB answers at MONGODB_URI \(mongodb:\/\/\*\*\*@127\.0\.0\.1:9\/\): .*ECONNREFUSED/,
    );
    expect(start.output()).toMatch(/ECONNREFUSED.* Start it, correct MONGODB_URI, or unset it/);
    expect(start.output()).not.toContain('hidden');
  });
});
