import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sealArchitecture } from './system-calls';
import { waysOut } from '../testing/ways-out';

const PROGRAM = join(__dirname, '..', 'testing', 'escaped.js');
const sealed = sealArchitecture();

interface Ended {
  readonly lines: readonly { readonly [field: string]: unknown }[];
  readonly signal: NodeJS.Signals | null;
}

/** Runs the compromised program to its end. It seals itself only with `TZ` in its environment. */
const escape = async (values: readonly string[], env: NodeJS.ProcessEnv = { TZ: 'UTC' }): Promise<Ended> => {
  const child = spawn(process.execPath, [PROGRAM, ...values], { env, stdio: ['pipe', 'pipe', 'ignore'] });
  let text = '';
  child.stdout.on('data', (piece: Buffer) => {
    text += piece.toString();
    if (text.includes('"done"')) child.kill('SIGKILL');
  });
  const signal: NodeJS.Signals | null = await new Promise((resolve) => child.once('close', (_, by) => resolve(by)));
  return { lines: text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)])), signal };
};

(sealed === undefined ? describe.skip : describe)('a sealed process', () => {
  const folder = mkdtempSync(join(tmpdir(), 'weft-ways-out-'));
  const server = createServer((_, response) => response.end());
  let requests = 0;
  let port = '';
  beforeAll(async () => {
    writeFileSync(join(folder, 'known'), 'known');
    server.on('connection', () => (requests += 1));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port: number }: AddressInfo = Object(server.address());
    port = String(number);
  });
  afterAll(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });

  it('has no way out, even for code that controls all of Node', async () => {
    const names = waysOut({ port: 0, folder }).map(([name]) => name);
    const ends = new Map<string, unknown>();
    // A way that aborts the process counts as closed; the next one is tried in a new process.
    for (let next = 0; next < names.length;) {
      const { lines } = await escape([port, folder, String(next)]);
      for (const { index, isOpen } of lines) {
        const name = names[Number(index)];
        if (name !== undefined) ends.set(name, isOpen ?? ends.get(name) ?? 'aborted');
        if (typeof index === 'number') next = index + 1;
      }
      expect(lines).not.toEqual([]);
    }
    expect([...ends].filter(([, end]) => end !== false && end !== 'aborted')).toEqual([]);
    expect(ends.size).toBe(names.length);
    expect([requests, readdirSync(folder), readFileSync(join(folder, 'known'), 'utf8')]).toEqual([
      0,
      ['known'],
      'known',
    ]);
  }, 60_000);

  it('closes them: the same ways are open without it', async () => {
    const { lines } = await escape([port, folder, '0'], {});
    const open = lines.filter(({ isOpen }) => isOpen === true).length;
    expect(open).toBeGreaterThan(10);
    writeFileSync(join(folder, 'known'), 'known');
    for (const left of readdirSync(folder)) if (left !== 'known') rmSync(join(folder, left), { recursive: true });
  }, 60_000);

  it('is refused every system call that it does not need', async () => {
    const { lines } = await escape(['calls']);
    expect(lines).toEqual([{ open: [] }]);
  });

  it.each(['execve', 'ptrace', 'io_uring_setup', 'bpf'])('is killed by %s', async (name) => {
    const { signal } = await escape(['call', String(sealed?.fatal[name])]);
    expect(signal).toBe('SIGSYS');
  });
});
