import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { closeAfterEach, until } from '@weft/service-kit/testing';
import { SandboxProcess } from '../process/sandbox-process';
import { sealArchitecture } from '../seal/system-calls';
import { CODE_FLAGS, SandboxSpawner } from '../spawn-sandbox';
import { emptyInput } from '../testing/run-script';
import { ForkServer } from './fork-server';

const PROGRAM = join(__dirname, '..', 'child', 'code-server.js');

(sealArchitecture() === undefined ? describe.skip : describe)('a fork server', () => {
  const later = closeAfterEach();
  const open = (path = PROGRAM): ForkServer =>
    later(new ForkServer(() => new SandboxSpawner().spawnForkServer(path, CODE_FLAGS, 96, '64')), (server) =>
      server.close(),
    );
  const startIn = (server: ForkServer): SandboxProcess => new SandboxProcess(server.fork(), 1_000_000);
  const run = async (process: SandboxProcess, code: string) => {
    await process.ready;
    const { result, stopped } = await process.run({
      code: Buffer.from(`(async function () { ${code} })`),
      input: Buffer.from(JSON.stringify(emptyInput())),
      timeoutMs: 5_000,
      signal: new AbortController().signal,
    });
    return stopped ?? result?.toString();
  };

  it('starts processes that only differ in their random values', async () => {
    const server = open();
    const processes = Array.from({ length: 20 }, () => startIn(server));
    // The first runs in the realm shared by plain code, the second in a separate one.
    const numbers = ['return Math.random()', 'globalThis.x = 1; return Math.random()'];
    const ids = ['return require("crypto").randomUUID()', 'return crypto.randomUUID()'];
    for (const chance of [...numbers, ...ids])
      expect(new Set(await Promise.all(processes.map((process) => run(process, chance)))).size).toBe(20);
    const first = await run(startIn(server), 'return 6 * 7');
    expect(await run(startIn(server), 'return 6 * 7')).toBe(first);
  });

  it('leaves them no descriptors except their channel and a private event loop wake-up', async () => {
    const server = open();
    const [first, second] = [startIn(server), startIn(server)];
    await Promise.all([first.ready, second.ready]);
    if (process.getuid?.() !== 0) return;
    const targetsOf = (pid = 0): string[] =>
      readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
    const socketsOf = (pid?: number): Set<string> =>
      new Set(targetsOf(pid).filter((target) => target.startsWith('socket:')));
    expect([socketsOf(first.pid).size, socketsOf(second.pid).size]).toEqual([1, 1]);
    expect(socketsOf(first.pid)).not.toEqual(socketsOf(second.pid));
    const others = targetsOf(first.pid).filter((target) => !target.startsWith('socket:'));
    expect(new Set(others)).toEqual(new Set(['/dev/null', 'anon_inode:[eventfd]']));
    // A private eventfd, whose number the kernel reports.
    const countersOf = (pid = 0): Set<string> =>
      new Set(
        readdirSync(`/proc/${pid}/fdinfo`).flatMap((fd) => {
          const [, id] = /^eventfd-id: (\d+)$/m.exec(readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'utf8')) ?? [];
          return id === undefined ? [] : [id];
        }),
      );
    expect(countersOf(first.pid).size).toBe(1);
    expect(countersOf(server.pid)).not.toContain([...countersOf(first.pid)][0]);
    expect(countersOf(second.pid)).not.toContain([...countersOf(first.pid)][0]);
  });

  it('continues, as do the others, when a process is killed or runs out of memory', async () => {
    const server = open();
    const [killed, hungry, healthy] = [startIn(server), startIn(server), startIn(server)];
    await Promise.all([killed.ready, hungry.ready, healthy.ready]);
    const pid = server.pid;
    const endless = run(killed, 'for (;;);');
    const filling = run(hungry, 'const kept = []; for (;;) kept.push(new Array(1000).fill(1.5))');
    for (let runs = 0; runs < 50; runs += 1) expect(await run(healthy, 'return 1')).toContain('"value":1');
    killed.kill();
    expect([await endless, await filling]).toEqual(['crash', 'memory']);
    expect(await run(healthy, 'return 1')).toContain('"value":1');
    expect(await run(startIn(server), 'return 1')).toContain('"value":1');
    expect(server.pid).toBe(pid);
  });

  it('ends a process that closes its channel but keeps running, and no other one', async () => {
    const server = open(join(__dirname, '..', 'testing', 'closing-server.js'));
    const [closing, other] = await Promise.all([server.fork(), server.fork()]);
    const pid = server.pid;
    closing.output.resume();
    closing.input.write('c');
    expect(await closing.ended).toBe('SIGKILL');
    other.input.write('e');
    const [answer]: unknown[] = await once(other.output, 'data');
    expect([String(answer), server.pid]).toEqual(['e', pid]);
  });

  it('is restarted when it has ended, and its processes have ended with it', async () => {
    const server = open();
    const first = startIn(server);
    const answer = run(first, 'for (;;);');
    await until('the run', () => first.pid !== undefined);
    await first.ready;
    process.kill(server.pid ?? 0, 'SIGKILL');
    expect(await answer).toBe('crash');
    await first.gone;
    expect(() => readlinkSync(`/proc/${first.pid ?? 0}/exe`)).toThrow();
    expect(await run(startIn(server), 'return 1')).toContain('"value":1');
  });

  it('reports that nothing can be started if its program ends immediately', async () => {
    const process = startIn(open(join(__dirname, 'no-such-program.js')));
    await expect(process.ready).rejects.toThrow('The process that starts sandboxes has ended.');
    await process.gone;
    expect(process.isGone).toBe(true);
  });
});
