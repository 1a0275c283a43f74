import { ChildProcess, spawn } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { encodeFrame, FRAME } from './frames';
import { childOf } from './sandbox-child';
import { SandboxProcess } from './sandbox-process';

/** A process that is told to end but does not do so until the test lets it. */
const slowToEnd = (pid?: number) => {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const signals: unknown[] = [];
  const child = Object.assign(new ChildProcess(), {
    pid,
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
  it('that was told to end accepts no further runs, although the result of the last one still arrives', async () => {
    const { child, write, signals } = slowToEnd();
    const sandbox = new SandboxProcess(childOf(child), 1_000);
    write(FRAME.ready, '');
    await sandbox.ready;
    const taken = new AbortController();
    const answer = sandbox.run({
      code: Buffer.from(''),
      input: Buffer.from(''),
      timeoutMs: 1_000,
      signal: taken.signal,
    });
    taken.abort();
    write(FRAME.result, '1');
    expect((await answer).result?.toString()).toBe('1');
    expect([signals, sandbox.isGone]).toEqual([['SIGKILL'], true]);
    child.emit('close');
  });

  describe('when its time is over', () => {
    const programs: ChildProcess[] = [];
    afterEach(() => programs.splice(0).forEach((program) => program.kill('SIGKILL')));

    /** A run in a process with the CPU usage of this program. */
    const runBeside = async (program: string, timeoutMs: number) => {
      const other = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'ignore'] });
      programs.push(other);
      await new Promise((resolve) => other.stdout.once('data', resolve));
      const { child, write, signals } = slowToEnd(other.pid);
      const sandbox = new SandboxProcess(childOf(child), 1_000);
      write(FRAME.ready, '');
      await sandbox.ready;
      const answer = sandbox.run({
        code: Buffer.from(''),
        input: Buffer.from(''),
        timeoutMs,
        signal: new AbortController().signal,
      });
      return { answer, write, isEnded: () => signals.length > 0, close: () => child.emit('close') };
    };
    const waiting = 'console.log(1); setInterval(() => {}, 1000)';

    it('gets its time again if it was starved of CPU', async () => {
      const { answer, write, isEnded } = await runBeside(waiting, 1_000);
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      expect(isEnded()).toBe(false);
      write(FRAME.result, '1');
      expect((await answer).result?.toString()).toBe('1');
    });

    it('is ended if it never has any CPU', async () => {
      const { answer, isEnded, close } = await runBeside(waiting, 50);
      while (!isEnded()) await new Promise((resolve) => setTimeout(resolve, 10));
      close();
      expect((await answer).stopped).toBe('time');
    });
  });
});
