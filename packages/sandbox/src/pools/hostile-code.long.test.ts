import { readFileSync } from 'node:fs';
import { SANDBOX_LIMITS } from './limits';
import { sealArchitecture } from '../seal/system-calls';
import { SealedPool } from './sealed-pool';
import { CURIOUS, HUNGRY } from '../testing/hostile-programs';
import { runScript } from '../testing/run-script';

const TIMEOUT_MS = 400;
const MEMORY_MB = 64;
/**
 * Maximum memory of a process: its run, the previous run until it is collected, and Node itself. 182 to 234 MB were
 * measured for the same code.
 */
const PROCESS_MB = 2 * MEMORY_MB + 160;

(sealArchitecture() === undefined ? describe.skip : describe)('hostile code', () => {
  const pool = new SealedPool({ processes: 1, memoryMb: MEMORY_MB, timeoutMs: TIMEOUT_MS });
  const runner = pool.of('owner');
  let rssBefore = 0;
  beforeAll(async () => {
    await runScript(runner, 'return 1');
    rssBefore = process.memoryUsage().rss;
  });
  afterAll(async () => {
    expect(await runScript(runner, 'return "healthy"')).toMatchObject({ value: 'healthy' });
    expect(process.memoryUsage().rss - rssBefore).toBeLessThan(200 * 1024 * 1024);
    await pool.close();
  });

  it.each(HUNGRY)('%s ends within its limits, and the next run succeeds', async (_, body, isRight) => {
    const result = await runScript(runner, body);
    expect({ ...result, isRight: isRight(result) }).toMatchObject({ isRight: true });
    for (const id of pool.processIds) expect(highWaterMb(id)).toBeLessThan(PROCESS_MB);
    expect(await runScript(runner, 'return 1')).toMatchObject({ value: 1 });
  });

  it.each(CURIOUS)('%s finds nothing', async (_, body, found) => {
    expect(await runScript(runner, body)).toMatchObject({ value: found });
  });

  it.each([
    'return process.env',
    'return fetch("http://127.0.0.1")',
    'return require("fs").readFileSync("/etc/passwd")',
    'return await import("fs")',
    'return require("child_process")',
    'return import.meta.url',
  ])('%s fails', async (body) => {
    expect((await runScript(runner, body)).error?.message).toMatch(/not defined|Cannot find module|import\.meta/);
  });

  it('cannot flood the console: its stored part is bounded, and has the first lines', async () => {
    // Not forever: on a busy machine a run may be ended before it has written anything.
    const { console, value } = await runScript(
      runner,
      'for (let n = 0; n < 500; n++) console.log("x".repeat(1000)); return "done"',
    );
    expect(value).toBe('done');
    expect(console[0]).toBe('x'.repeat(1000));
    expect(Buffer.byteLength(console.join(''))).toBeLessThan(SANDBOX_LIMITS.consoleBytes + 100);
    expect(console.at(-1)).toContain('left out');
  });

  it('cannot flood the console forever', async () => {
    const { console, stopped } = await runScript(runner, 'for (;;) console.log("x".repeat(1000))');
    expect(stopped).toBe('time');
    expect(Buffer.byteLength(console.join(''))).toBeLessThan(SANDBOX_LIMITS.consoleBytes + 100);
  });

  it('cannot impersonate the sandbox: a forged report is only a value', async () => {
    const { value } = await runScript(
      runner,
      'JSON.stringify = () => `{"error":{"name":"x","message":"made up"}}`; Promise.prototype.then = null; ' +
        'return { made: "up" }',
    );
    expect(value).toEqual({ made: 'up' });
  });
});

function highWaterMb(id: number): number {
  try {
    // A process that has ended lacks this line until its parent reaps it.
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    // The process has ended, or this system has no such file.
    return 0;
  }
}
