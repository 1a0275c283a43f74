import { ChildProcess } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { encodeFrame, FRAME } from './frames';
import { SandboxProcess } from './sandbox-process';

/** A process that is asked to end and does not do so before the test says so. */
const slowToEnd = () => {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const signals: unknown[] = [];
  const child = Object.assign(new ChildProcess(), {
    stdin,
    stdout,
    kill: (signal?: unknown) => {
      signals.push(signal);
      return true;
    },
  });
  const write = (kind: number, text: string): void => {
    for (const part of encodeFrame(kind, Buffer.from(text))) stdout.write(part);
  };
  return { child, write, signals };
};

describe('a sandbox process', () => {
  it('that was asked to end takes no further run, though the result of the last one still arrives', async () => {
    const { child, write, signals } = slowToEnd();
    const sandbox = new SandboxProcess(child);
    write(FRAME.ready, '');
    await sandbox.ready;
    const taken = new AbortController();
    const answer = sandbox.run({
      code: Buffer.from(''),
      input: Buffer.from(''),
      timeoutMs: 1_000,
      killAfterMs: 100,
      signal: taken.signal,
    });
    taken.abort();
    write(FRAME.result, '1');
    expect((await answer).result?.toString()).toBe('1');
    expect([signals, sandbox.isGone]).toEqual([['SIGKILL'], true]);
    child.emit('close');
  });
});
