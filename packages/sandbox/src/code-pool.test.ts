import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { CodePool } from './code-pool';
import { emptyInput, runScript } from './testing/run-script';

const LINUX = process.platform === 'linux';
const job = (
  body: string,
  signal = new AbortController().signal,
): { code: string; input: string; signal: AbortSignal } => ({
  code: `(async function () {${body}\n})`,
  input: JSON.stringify(emptyInput()),
  signal,
});

describe('the pool of sandboxes', () => {
  let pool = new CodePool({ processes: 1, memoryMb: 64, timeoutMs: 5_000 });
  afterEach(async () => {
    await pool.close();
  });
  const renew = (over: Partial<ConstructorParameters<typeof CodePool>[0]> = {}): CodePool => {
    pool = new CodePool({ processes: 1, memoryMb: 64, timeoutMs: 5_000, ...over });
    return pool;
  };

  it('starts no process before it is needed, then reuses it', async () => {
    renew();
    expect(pool.processIds).toEqual([]);
    expect(await runScript(pool, 'return 1')).toMatchObject({ value: 1 });
    const [first] = pool.processIds;
    expect(await runScript(pool, 'return 2')).toMatchObject({ value: 2 });
    expect(pool.processIds).toEqual([first]);
  });

  it('starts no more processes than it may, and lets the others wait', async () => {
    renew({ processes: 2 });
    const results = await Promise.all(Array.from({ length: 8 }, (_, index) => runScript(pool, `return ${index}`)));
    expect(results.map(({ value }) => value)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(pool.processIds).toHaveLength(2);
  });

  it('gives every run an engine that no other run has touched', async () => {
    renew();
    await runScript(
      pool,
      'globalThis.left = 1; Object.prototype.left = 1; Array.prototype.map = () => "changed"; JSON.parse = ' +
        'null; return 1',
    );
    expect(
      await runScript(pool, 'return [typeof left, typeof ({}).left, [1].map((x) => x + 1), JSON.parse("2")]'),
    ).toMatchObject({ value: ['undefined', 'undefined', [2], 2] });
  });

  it('gives every run other random numbers', async () => {
    renew();
    const draws = await Promise.all(
      ['Math.random()', 'Math.random()', 'crypto.randomUUID()', 'crypto.randomUUID()'].map((draw) =>
        runScript(pool, `return ${draw}`),
      ),
    );
    expect(new Set(draws.map(({ value }) => value)).size).toBe(4);
  });

  it('replaces a process that has run often enough', async () => {
    renew({ runsMax: 3 });
    const seen = new Set<number>();
    for (let run = 0; run < 7; run += 1) {
      expect(await runScript(pool, `return ${run}`)).toMatchObject({ value: run });
      for (const id of pool.processIds) seen.add(id);
    }
    expect(seen.size).toBeGreaterThanOrEqual(2);
    expect(seen.size).toBeLessThanOrEqual(3);
  });

  it('refuses runs beyond its limit of waiting runs, of which one owner may have half', async () => {
    renew({ waitingMax: 4 });
    const results = await Promise.all(Array.from({ length: 5 }, () => pool.run(job('return 1'))));
    expect(results.map((one) => (one.kind === 'stopped' ? one.reason : one.kind)).sort()).toEqual([
      'busy',
      'busy',
      'result',
      'result',
      'result',
    ]);
  });

  it('ends a run whose signal fires, and continues with others', async () => {
    renew();
    const abort = new AbortController();
    const run = pool.run(job('console.log("on"); while (true) {}', abort.signal));
    const waiting = new AbortController();
    const queued = pool.run(job('return 1', waiting.signal));
    const next = runScript(pool, 'return "next"');
    waiting.abort();
    expect(await queued).toMatchObject({ kind: 'stopped', reason: 'aborted' });
    abort.abort();
    expect(await run).toMatchObject({ kind: 'stopped', reason: 'aborted' });
    expect(await next).toMatchObject({ value: 'next' });
  });

  it('runs code again, in a new process, when one that others had used is killed from outside', async () => {
    renew();
    await runScript(pool, 'return 1');
    const [id = 0] = pool.processIds;
    const run = runScript(pool, 'return 2');
    process.kill(id, 'SIGKILL');
    expect(await run).toMatchObject({ value: 2 });
    expect(pool.processIds).not.toContain(id);
  });

  it('ends a process that has stopped answering, when the time of its run is over', async () => {
    renew({ timeoutMs: 300 });
    await runScript(pool, 'return 1');
    const [id = 0] = pool.processIds;
    process.kill(id, 'SIGSTOP');
    expect(await pool.run(job('return 1'))).toMatchObject({ kind: 'stopped', reason: 'time' });
    expect(await runScript(pool, 'return 2')).toMatchObject({ value: 2 });
    expect(pool.processIds).not.toContain(id);
  });

  it('needs no new process after a run that took too long', async () => {
    // The engine measures the time itself; a busy machine may make it report late.
    renew({ timeoutMs: 300, killAfterMs: 8_000 });
    await runScript(pool, 'return 1');
    const before = pool.processIds;
    for (const body of ['while (true) {}', 'return [].indexOf.call({ length: 2 ** 53 - 1 }, 1)'])
      expect(await runScript(pool, body)).toMatchObject({ stopped: 'time' });
    expect(pool.processIds).toEqual(before);
  });

  it('leaves no process behind when it is closed, and runs nothing more', async () => {
    renew();
    const run = pool.run(job('while (true) {}'));
    const waiting = pool.run(job('return 1'));
    await pool.close();
    expect(await run).toMatchObject({ kind: 'stopped' });
    expect(await waiting).toMatchObject({ kind: 'stopped', reason: 'closed' });
    expect(pool.processIds).toEqual([]);
    expect(await pool.run(job('return 1'))).toMatchObject({ kind: 'stopped', reason: 'closed' });
  });

  it('refuses data that is too large before it sends anything', async () => {
    renew();
    const input = `"${'x'.repeat(16 * 1024 * 1024)}"`;
    expect(await pool.run({ ...job('return 1'), input })).toMatchObject({ kind: 'stopped', reason: 'input' });
    expect(pool.processIds).toEqual([]);
  });

  (LINUX ? it : it.skip)(
    'gives a process no environment, no files to read, no folder of its own and no descriptor of this process',
    async () => {
      process.env['WEFT_TEST_SECRET'] = 'secret';
      renew();
      await runScript(pool, 'return 1');
      delete process.env['WEFT_TEST_SECRET'];
      const proc = `/proc/${pool.processIds[0] ?? 0}`;
      expect(
        readFileSync(`${proc}/environ`, 'utf8')
          .split('\0')
          .filter((one) => one !== ''),
      ).toEqual(['TZ=UTC']);
      // One would stay behind when this process is killed.
      expect(readlinkSync(`${proc}/cwd`)).toBe('/');
      expect(readFileSync(`${proc}/cmdline`, 'utf8')).toMatch(/--(experimental-)?permission\0/);
      const own = new Set(
        readdirSync('/proc/self/fd')
          .flatMap((fd) => descriptor(`/proc/self/fd/${fd}`))
          .filter((target) => target.startsWith('socket:')),
      );
      const theirs = readdirSync(`${proc}/fd`).flatMap((fd) => descriptor(`${proc}/fd/${fd}`));
      expect(theirs.filter((target) => own.has(target))).toEqual([]);
      expect(theirs.filter((target) => target.startsWith('/') && target !== '/dev/null')).toEqual([]);
    },
  );
});

function descriptor(path: string): string[] {
  try {
    return [readlinkSync(path)];
  } catch {
    // Closed in between.
    return [];
  }
}
