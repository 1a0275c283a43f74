import { jest } from '@jest/globals';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import { closeAfterEach, until } from '@weft/service-kit/testing';
import { sealArchitecture } from '../seal/system-calls';
import { SandboxProcess } from '../process/sandbox-process';
import type { PoolOptions } from './pool';
import { SealedPool } from './sealed-pool';
import { emptyInput, runScript } from '../testing/run-script';

(sealArchitecture() === undefined ? describe.skip : describe)('the pool of sealed processes', () => {
  const later = closeAfterEach();
  const openPool = async (over: Partial<PoolOptions> = {}): Promise<SealedPool> => {
    const pool = later(new SealedPool({ processes: 1, memoryMb: 64, timeoutMs: 5_000, ...over }), (open) =>
      open.close(),
    );
    await pool.open();
    return pool;
  };
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('gives no process to two owners', async () => {
    const served = new Map<number, Set<string>>();
    const { run } = SandboxProcess.prototype;
    jest.spyOn(SandboxProcess.prototype, 'run').mockImplementation(function (this: SandboxProcess, job) {
      const owner = /owner (\d)/.exec(Buffer.from(job.code).toString())?.[0] ?? 'none';
      served.set(this.pid ?? 0, (served.get(this.pid ?? 0) ?? new Set()).add(owner));
      return Reflect.apply(run, this, [job]);
    });
    const pool = await openPool({ processes: 2 });
    const owners = Array.from({ length: 30 }, (_, index) => `owner ${(index * 7) % 4}`);
    const results = await Promise.all(owners.map((owner) => runScript(pool.of(owner), `return "${owner}"`)));
    expect(results.map(({ value }) => value)).toEqual(owners);
    expect([...served.values()].map(({ size }) => size)).toEqual(Array(served.size).fill(1));
    expect(served.size).toBeGreaterThanOrEqual(4);
  });

  it('repeats a run once whose process was killed from outside, however fresh that process was', async () => {
    const pool = await openPool();
    const { run } = SandboxProcess.prototype;
    const killed: number[] = [];
    let kills = 1;
    jest.spyOn(SandboxProcess.prototype, 'run').mockImplementation(function (this: SandboxProcess, job) {
      const answer = Reflect.apply(run, this, [job]);
      if (this.pid !== undefined && killed.length < kills) {
        killed.push(this.pid);
        process.kill(this.pid, 'SIGKILL');
      }
      return answer;
    });
    const slow = 'await new Promise((resolve) => setTimeout(resolve, 500)); return 1';
    expect(await runScript(pool.of('owner'), slow)).toMatchObject({ value: 1 });
    expect(killed).toHaveLength(1);
    kills = 10;
    expect(await runScript(pool.of('other'), slow)).toMatchObject({ stopped: 'crash' });
    expect(killed).toHaveLength(3);
  });

  it('does not repeat a run that exceeded its limits', async () => {
    const pool = await openPool();
    const { run } = SandboxProcess.prototype;
    let runs = 0;
    jest.spyOn(SandboxProcess.prototype, 'run').mockImplementation(function (this: SandboxProcess, job) {
      runs += 1;
      return Reflect.apply(run, this, [job]);
    });
    const filling = 'const kept = []; for (;;) kept.push(new Array(1000).fill(1.5))';
    expect(await runScript(pool.of('owner'), filling)).toMatchObject({ stopped: 'memory' });
    expect(runs).toBe(1);
  });

  it('holds the process of an owner for the next run, in a realm that no other run has touched', async () => {
    const pool = await openPool();
    const runner = pool.of('owner');
    await runScript(
      runner,
      'globalThis.left = 1; Object.prototype.left = 1; Array.prototype.map = () => "changed"; JSON.parse = null; ' +
        'setTimeout(() => { left = 2 }, 1); Error.prepareStackTrace = () => 1',
    );
    const [first] = pool.processIds;
    const { run } = SandboxProcess.prototype;
    const used: (number | undefined)[] = [];
    jest.spyOn(SandboxProcess.prototype, 'run').mockImplementation(function (this: SandboxProcess, job) {
      used.push(this.pid);
      return Reflect.apply(run, this, [job]);
    });
    expect(
      await runScript(
        runner,
        'await new Promise((resolve) => setTimeout(resolve, 5)); return [typeof left, typeof ({}).left, ' +
          '[1].map((x) => x + 1), JSON.parse("2"), typeof new Error("x").stack]',
      ),
    ).toMatchObject({ value: ['undefined', 'undefined', [2], 2, 'string'] });
    expect(used).toEqual([first]);
  });

  it('ends only the process of a run that exceeds its time or memory', async () => {
    const pool = await openPool({ timeoutMs: 400 });
    await runScript(pool.of('quiet'), 'return 1');
    const [quiet] = pool.processIds;
    expect(await runScript(pool.of('loud'), 'console.log("before"); for (;;);')).toMatchObject({ stopped: 'time' });
    const hungry = 'const a = []; for (;;) a.push(new Array(1e5).fill(a.length))';
    expect((await runScript(pool.of('loud'), hungry)).stopped).toMatch(/^(memory|time)$/);
    expect(await runScript(pool.of('quiet'), 'return 2')).toMatchObject({ value: 2 });
    expect(pool.processIds).toContain(quiet);
  });

  it('ends a run at its own limit, if that is lower, and leaves the limit of others', async () => {
    const pool = await openPool({ timeoutMs: 5_000 });
    const { signal } = new AbortController();
    const before = Date.now();
    const job = { code: '(function () { for (;;); })', input: JSON.stringify(emptyInput()), signal, timeoutMs: 300 };
    expect(await pool.of('owner').run(job)).toMatchObject({ kind: 'stopped', reason: 'time' });
    expect(Date.now() - before).toBeLessThan(4_000);
    const slow = 'const end = Date.now() + 600; while (Date.now() < end); return 1';
    expect(await runScript(pool.of('owner'), slow)).toMatchObject({ value: 1 });
  });

  it('lowers the priority of long-running code, and of nothing else', async () => {
    const pool = await openPool({ processes: 2, timeoutMs: 3_000 });
    await runScript(pool.of('quick'), 'return 1');
    const [quick = 0] = pool.processIds;
    const loop = runScript(pool.of('long'), 'for (;;);');
    const lowered = Math.min(getPriority(0) + 10, constants.priority.PRIORITY_LOW);
    const isLowered = (pid: number): boolean => {
      const threads = readdirSync(`/proc/${pid}/task`).map(Number);
      return threads.length > 0 && threads.every((thread) => getPriority(thread) === lowered);
    };
    await until('the loop to yield', () => pool.processIds.some((pid) => pid !== quick && isLowered(pid)));
    expect(getPriority(quick)).toBe(getPriority(0));
    expect(await loop).toMatchObject({ stopped: 'time' });
  });

  it('does not count the time in which this process stalled with half of a job sent', async () => {
    const pool = await openPool({ timeoutMs: 400 });
    const items = [{ json: { text: 'x'.repeat(2_000_000) } }];
    const run = runScript(pool.of('owner'), 'return $input.first().json.text.length', { items });
    await new Promise((resolve) => setImmediate(resolve));
    const until = performance.now() + 900;
    while (performance.now() < until);
    expect(await run).toMatchObject({ value: 2_000_000 });
  });

  it('stores what code wrote to the console before it was killed', async () => {
    const pool = await openPool({ timeoutMs: 400 });
    const { console } = await runScript(
      pool.of('owner'),
      'const until = Date.now() + 60; while (Date.now() < until) console.log("line"); for (;;);',
    );
    expect(console[0]).toBe('line');
  });

  it.each(['SIGKILL', 'SIGABRT', 'SIGTRAP'] as const)(
    'runs code again in a fresh process when a used process ends by %s',
    async (signal) => {
      const pool = await openPool({ processes: 2 });
      // Two processes of this owner: a crash of the other used one proves nothing about the code either.
      const both = 'await new Promise((resolve) => setTimeout(resolve, 100)); return 1';
      await Promise.all([runScript(pool.of('owner'), both), runScript(pool.of('owner'), both)]);
      const { run } = SandboxProcess.prototype;
      const used: number[] = [];
      jest.spyOn(SandboxProcess.prototype, 'run').mockImplementation(function (this: SandboxProcess, job) {
        used.push(this.runs);
        // Before it receives its job, which it might otherwise have completed.
        if (used.length === 1) process.kill(this.pid ?? 0, signal);
        return Reflect.apply(run, this, [job]);
      });
      expect(await runScript(pool.of('owner'), 'return 2')).toMatchObject({ value: 2 });
      expect(used).toEqual([1, 0]);
    },
  );

  it('ends no run because of memory filled by an earlier one', async () => {
    const pool = await openPool({ processes: 2 });
    const filling = 'const kept = []; for (;;) kept.push(new Uint8Array(1 << 23).fill(7))';
    const ordinary = 'return Array.from({ length: 12000 }, (_, n) => ({ json: { n } })).length';
    for (let round = 0; round < 4; round += 1) {
      await runScript(pool.of('owner'), filling);
      const runs = [1, 2, 3].map(() => runScript(pool.of('owner'), ordinary));
      expect((await Promise.all(runs)).map(({ value, stopped }) => value ?? stopped)).toEqual([12000, 12000, 12000]);
    }
  });

  it('replaces a process that has run often enough', async () => {
    const pool = await openPool({ runsMax: 3 });
    const { run } = SandboxProcess.prototype;
    const used: number[] = [];
    jest.spyOn(SandboxProcess.prototype, 'run').mockImplementation(function (this: SandboxProcess, job) {
      used.push(this.runs);
      return Reflect.apply(run, this, [job]);
    });
    for (let round = 0; round < 5; round += 1) await runScript(pool.of('owner'), 'return 1');
    expect(used).toEqual([0, 1, 2, 0, 1]);
  });

  it('gives every run different random numbers, within and across processes', async () => {
    const pool = await openPool();
    const draws: unknown[] = [];
    for (const owner of ['a', 'a', 'b'])
      for (const draw of ['Math.random()', 'crypto.randomUUID()'])
        draws.push((await runScript(pool.of(owner), `return ${draw}`)).value);
    expect(new Set(draws).size).toBe(6);
  });

  it('refuses runs beyond its limit of waiting runs, of which one owner may have half', async () => {
    const pool = await openPool({ waitingMax: 4 });
    const runs = Array.from({ length: 5 }, () => runScript(pool.of('owner'), 'return 1'));
    const outcomes = (await Promise.all(runs)).map(({ value, stopped }) => value ?? stopped);
    expect(outcomes.sort()).toEqual([1, 1, 1, 'busy', 'busy']);
  });

  it('ends a run whose signal fires, also one that waits, and continues with others', async () => {
    const pool = await openPool({ held: 0 });
    const input = JSON.stringify(emptyInput());
    const [abort, waiting] = [new AbortController(), new AbortController()];
    const { run } = pool.of('owner');
    const loop = run({ code: '(async function () { for (;;); })', input, signal: abort.signal });
    const queued = run({ code: '(async function () { return 1; })', input, signal: waiting.signal });
    const next = runScript(pool.of('owner'), 'return "next"');
    waiting.abort();
    expect(await queued).toMatchObject({ kind: 'stopped', reason: 'aborted' });
    abort.abort();
    expect(await loop).toMatchObject({ kind: 'stopped', reason: 'aborted' });
    expect(await next).toMatchObject({ value: 'next' });
  });

  it('ends a process that has stopped answering, when the time of its run is over', async () => {
    const pool = await openPool({ timeoutMs: 300 });
    await runScript(pool.of('owner'), 'return 1');
    const { run } = SandboxProcess.prototype;
    let stopped = 0;
    jest.spyOn(SandboxProcess.prototype, 'run').mockImplementation(function (this: SandboxProcess, job) {
      stopped = this.pid ?? 0;
      process.kill(stopped, 'SIGSTOP');
      return Reflect.apply(run, this, [job]);
    });
    expect((await runScript(pool.of('owner'), 'return 1')).stopped).toBe('time');
    jest.restoreAllMocks();
    expect(await runScript(pool.of('owner'), 'return 2')).toMatchObject({ value: 2 });
    expect(pool.processIds).not.toContain(stopped);
  });

  it('refuses data that is too large', async () => {
    const pool = await openPool();
    const items = [{ json: { text: 'x'.repeat(16 * 1024 * 1024) } }];
    expect((await runScript(pool.of('owner'), 'return 1', { items })).stopped).toBe('input');
  });

  it('ends the longest idle process when there are too many', async () => {
    const pool = await openPool({ held: 2 });
    const seen = new Set<number>();
    for (const owner of ['a', 'b', 'c', 'd', 'e']) {
      await runScript(pool.of(owner), 'return 1');
      for (const id of pool.processIds) seen.add(id);
    }
    // One works, one is in the reserve, two are idle.
    await until('the end of the oldest', () => pool.processIds.length <= 4);
    expect(seen.size).toBeGreaterThanOrEqual(5);
  });

  it('keeps the processes of 50 alternating owners, and starts none when they come back', async () => {
    const pool = await openPool({ processes: 2 });
    const owners = Array.from({ length: 50 }, (_, index) => `owner ${index}`);
    const runAll = () => Promise.all(owners.map((owner) => runScript(pool.of(owner), `return "${owner}"`)));
    expect((await runAll()).map(({ value }) => value)).toEqual(owners);
    const held = new Set(pool.processIds);
    expect(held.size).toBeGreaterThanOrEqual(50);
    expect((await runAll()).map(({ value }) => value)).toEqual(owners);
    expect(pool.processIds.filter((pid) => !held.has(pid)).length).toBeLessThanOrEqual(1);
  });

  it('ends the longest idle processes when all idle ones use too much memory together', async () => {
    const pool = await openPool({ heldMb: 100 });
    const filling = 'globalThis.kept = new Array(3e6).fill(1.5); return 1';
    for (const owner of ['a', 'b', 'c', 'd', 'e', 'f']) await runScript(pool.of(owner), filling);
    await until('the end of the oldest', () => pool.processIds.length <= 6);
  });

  it('never has more processes than allowed, whatever owners do', async () => {
    const pool = await openPool({ processes: 2, held: 1 });
    let most = 0;
    const { run } = SandboxProcess.prototype;
    jest.spyOn(SandboxProcess.prototype, 'run').mockImplementation(function (this: SandboxProcess, job) {
      most = Math.max(most, pool.processIds.length);
      return Reflect.apply(run, this, [job]);
    });
    const owners = Array.from({ length: 24 }, (_, index) => `owner ${index % 8}`);
    const results = await Promise.all(owners.map((owner) => runScript(pool.of(owner), `return "${owner}"`)));
    expect(results.map(({ value }) => value)).toEqual(owners);
    expect(most).toBeLessThanOrEqual(4);
  });

  it('answers short code of others while two owners use all processes up to their time limit', async () => {
    const pool = await openPool({ timeoutMs: 60_000 });
    const stop = new AbortController();
    const input = JSON.stringify(emptyInput());
    const endless = ['first', 'second'].map((owner) =>
      pool.of(owner).run({ code: '(async function () { for (;;); })', input, signal: stop.signal }),
    );
    await until('both to run', () => pool.processIds.length >= 2);
    expect(await runScript(pool.of('quick'), 'return 1')).toMatchObject({ value: 1 });
    expect(await runScript(pool.of('other'), 'return 2')).toMatchObject({ value: 2 });
    stop.abort();
    expect((await Promise.all(endless)).map((answer) => 'reason' in answer && answer.reason)).toEqual([
      'aborted',
      'aborted',
    ]);
  });

  it('leaves no process behind when it is closed, and runs nothing more', async () => {
    const pool = await openPool();
    const run = runScript(pool.of('a'), 'for (;;);');
    const waiting = runScript(pool.of('a'), 'return 1');
    await pool.close();
    expect([(await run).stopped, (await waiting).stopped]).toEqual([expect.anything(), 'closed']);
    expect(pool.processIds).toEqual([]);
    expect((await runScript(pool.of('a'), 'return 1')).stopped).toBe('closed');
  });

  it('gives a process no environment, no private folder and no descriptor of this process', async () => {
    process.env['WEFT_TEST_SECRET'] = 'secret';
    const pool = await openPool();
    delete process.env['WEFT_TEST_SECRET'];
    const proc = `/proc/${pool.processIds[0] ?? 0}`;
    expect(readFileSync(`${proc}/status`, 'utf8')).toMatch(/^Seccomp:\t2$/m);
    if (process.getuid?.() !== 0) return;
    const environment = readFileSync(`${proc}/environ`, 'utf8').split('\0');
    // Those of the Node IPC channel name a closed descriptor.
    const names = environment.filter((one) => one !== '' && !one.startsWith('NODE_CHANNEL_'));
    expect(names.sort()).toEqual(['TZ=UTC', 'UV_USE_IO_URING=0']);
    // One would stay behind when this process is killed.
    expect(readlinkSync(`${proc}/cwd`)).toBe('/');
    const targets = (folder: string): string[] =>
      readdirSync(folder).flatMap((fd) => {
        try {
          return [readlinkSync(`${folder}/${fd}`)];
        } catch {
          return [];
        }
      });
    const own = new Set(targets('/proc/self/fd').filter((target) => target.startsWith('socket:')));
    expect(targets(`${proc}/fd`).filter((target) => own.has(target))).toEqual([]);
  });
});
