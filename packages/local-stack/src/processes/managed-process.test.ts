import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '../wait-until';
import { Ledger } from './ledger';
import { ManagedProcess } from './managed-process';
import { identify, isRunning } from './process-identity';

describe('ManagedProcess', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'weft-process-'))));
  const started: ManagedProcess[] = [];
  afterEach(async () => {
    await Promise.all(started.splice(0).map((one) => one.stop()));
    rmSync(folder, { recursive: true });
  });

  const start = (script: string, graceMs = 5_000): ManagedProcess => {
    const one = ManagedProcess.start({
      name: 'thing',
      command: 'sh',
      args: ['-c', script],
      env: { PATH: process.env['PATH'] },
      logFile: join(folder, 'logs/thing.log'),
      stopManner: { signal: 'SIGTERM', graceMs },
      ledger: new Ledger(folder),
    });
    started.push(one);
    return one;
  };
  const says = (word: string) => (): boolean => readFileSync(join(folder, 'logs/thing.log'), 'utf8').includes(word);

  it('is killed when it does not end in its time', async () => {
    const stubborn = start('trap "" TERM; echo up; while :; do sleep 0.05; done', 100);
    await waitUntil(says('up'), { limitMs: 30_000 });
    await stubborn.stop();
    expect(await stubborn.ended).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('reports how it ended and what it printed last', async () => {
    const failing = start('echo first; echo last >&2; exit 7');
    await failing.ended;
    expect(failing.describeEnd().message).toMatch(
      /^thing ended with exit code 7\. Its last lines were:\n {4}first\n {4}last\n/,
    );
    expect(() => failing.throwIfEnded()).toThrow('exit code 7');
  });

  it('reports that a program cannot be started', async () => {
    const plan = {
      name: 'thing',
      command: join(folder, 'none'),
      args: [],
      env: {},
      logFile: join(folder, 'log'),
      stopManner: { signal: 'SIGTERM', graceMs: 1 } as const,
      ledger: new Ledger(folder),
    };
    const missing = ManagedProcess.start(plan);
    expect(await missing.ended).toEqual({ code: -1, signal: null });
    await missing.stop();
  });

  it('retains the log of its former start next to the new one', async () => {
    await start('echo one').ended;
    await start('echo two').ended;
    expect(readFileSync(join(folder, 'logs/thing.log'), 'utf8')).toBe('two\n');
    expect(readFileSync(join(folder, 'logs/thing.log.previous'), 'utf8')).toBe('one\n');
  });

  it('is noted in the ledger while it runs, for a later start to end', async () => {
    const left = start('sleep 60');
    const identity = identify(left.pid);
    expect(await new Ledger(folder).clean(() => ({ signal: 'SIGTERM', graceMs: 5_000 }))).toEqual(['thing']);
    expect(identity !== undefined && isRunning(identity)).toBe(false);
    await left.ended;
    expect(readdirSync(folder).filter((file) => file.endsWith('.json'))).toEqual([]);
    expect(existsSync(left.logFile)).toBe(true);
  });
});
