import { spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { encodeFrame, FRAME } from './frames';
import { childOf } from './sandbox-child';
import { SandboxProcess, type ProcessAnswer } from './sandbox-process';
import type { PipedProcess } from '../spawn-sandbox';

const { signal } = new AbortController();
const JOB = { code: Buffer.from('x'), input: Buffer.from('{}'), timeoutMs: 60_000, signal };
const RESULT_BYTES = 1_000;
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A process whose output the test makes up. It ends when it is killed. */
class MadeUp extends EventEmitter {
  readonly pid = undefined;
  readonly stdin = new PassThrough();
  readonly stdout = new PassThrough();
  isKilled = false;

  kill(): boolean {
    if (this.isKilled) return false;
    this.isKilled = true;
    setImmediate(() => this.emit('close', null, 'SIGKILL'));
    return true;
  }
}

const isPiped = (value: unknown): value is PipedProcess => value instanceof MadeUp;

const start = (): { readonly child: MadeUp; readonly process: SandboxProcess } => {
  const child = new MadeUp();
  child.stdin.resume();
  if (!isPiped(child)) throw new Error('It has what a process has.');
  return { child, process: new SandboxProcess(childOf(child), RESULT_BYTES) };
};

/** Kinds that a process may send, and others. */
const kinds = fc.oneof(fc.constantFrom(...Object.values(FRAME)), fc.integer({ min: 0, max: 255 }));
const bodies = fc.oneof(
  fc.uint8Array({ maxLength: RESULT_BYTES + 40 }),
  fc.json().map((text) => Buffer.from(text)),
  fc
    .constantFrom('', '{"stopped":"time"}', '{"stopped":1}', '["line"]', '[[],{},null]', '{')
    .map((text) => Buffer.from(text)),
);
const pieces = fc.oneof(
  fc.tuple(kinds, bodies).map(([kind, body]) => Buffer.concat(encodeFrame(kind, body))),
  fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)),
);

describe('a sandbox process that sends random frames', () => {
  it('gives at most one response of the right shape and size, or is killed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(pieces, { minLength: 1, maxLength: 12 }), async (sent) => {
        const { child, process } = start();
        const answers: ProcessAnswer[] = [];
        void process.run(JOB).then((answer) => answers.push(answer));
        for (const piece of sent) child.stdout.write(piece);
        await settled();
        await settled();
        process.kill();
        await process.gone;
        await settled();
        expect(answers).toHaveLength(1);
        const [{ result, stopped, console } = { console: [] }] = answers;
        expect(result === undefined).toBe(stopped !== undefined);
        expect(result?.length ?? 0).toBeLessThanOrEqual(RESULT_BYTES + 1_024);
        expect(console.every((line) => typeof line === 'string')).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['an unrequested result', encodeFrame(FRAME.result, Buffer.from('1'))],
    ['a job', encodeFrame(FRAME.job, Buffer.from('1'))],
    ['more than it may', [Buffer.from([127, 255, 255, 255, FRAME.result])]],
    ['an empty frame without a kind', [Buffer.from([0, 0, 0, 0])]],
  ])('is killed for %s', async (_, parts) => {
    const { child } = start();
    for (const part of parts) child.stdout.write(part);
    await settled();
    expect(child.isKilled).toBe(true);
  });

  it.each([
    ['console lines that are not JSON', FRAME.console, '{'],
    ['a reason that is not JSON', FRAME.stopped, 'stopped'],
    ['a kind that there is not', 99, ''],
  ])('ends its run as a crash, and is killed, for %s', async (_, kind, body) => {
    const { child, process } = start();
    const run = process.run(JOB);
    for (const part of encodeFrame(kind, Buffer.from(body))) child.stdout.write(part);
    expect(await run).toMatchObject({ stopped: 'crash' });
    expect(child.isKilled).toBe(true);
  });

  it('is really ended when it floods its runner', async () => {
    const flood = 'for (;;) require("fs").writeSync(1, require("crypto").randomBytes(65536))';
    const child = spawn(process.execPath, ['-e', flood], { stdio: ['pipe', 'pipe', 'ignore'] });
    const sandbox = new SandboxProcess(childOf(child), RESULT_BYTES);
    const run = sandbox.run(JOB);
    expect((await run).stopped).toMatch(/^(crash|result)$/);
    await sandbox.gone;
    expect(child.signalCode).toBe('SIGKILL');
  });
});
