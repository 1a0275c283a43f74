import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runScript } from '@weft/sandbox/testing';
import { isObject } from '@weft/service-kit/json';
import { createLogger } from '@weft/service-kit/logging';
import { until } from '@weft/service-kit/testing';
import { within } from '@weft/service-kit/time-limit';
import { createChildProcess, type ChildProcess } from '../src/child/child-process';
import { openPools, type OpenPools } from '../src/pools/open-pools';
import { servePools } from '../src/pools/serve-pools';

interface Asked {
  readonly id: number;
  readonly owner: string;
  readonly body: string;
  /** Characters of the item; 0 if absent. */
  readonly size?: number;
}

type Told = Readonly<Record<string, unknown>>;

/** Process ids of the children of a process. */
const childrenOf = (parent: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return new RegExp(`^PPid:\\t${parent}$`, 'm').test(readFileSync(`/proc/${pid}/status`, 'utf8'));
      } catch {
        return false;
      }
    });

(process.platform === 'linux' ? describe : describe.skip)('the pools of a runner', () => {
  // their deaths are logged, and are expected
  const logger = createLogger('test', 'silent');
  let pools: OpenPools;
  let children: ChildProcess<Asked>[];
  let told: Told[];
  beforeEach(async () => {
    pools = openPools({ sandboxes: 1, sandboxMb: 64, codeTimeoutMs: 20_000, formatsMb: 128 }, logger);
    await pools.ready();
    told = [];
    children = [0, 1].map(() =>
      createChildProcess<Asked, Told>({
        program: join(__dirname, 'pools-program.js'),
        heapMb: 64,
        logger,
        name: 'a process of the test',
        servePools: (pipe) => servePools(pools, pipe),
        tellProgressed: () => undefined,
        tellStreamed: () => undefined,
        read: (value) => (isObject(value) ? value : undefined),
        onMessage: (message) => told.push(message),
        onExit: () => undefined,
      }),
    );
    for (const child of children) child.start();
  });
  afterEach(async () => {
    await Promise.all(children.map((child) => child.stop()));
    await pools.close();
  });
  const answerTo = (id: number): Promise<Told> =>
    until(`an answer to ${id}`, () => told.find((one) => one['id'] === id));

  it('run the code of its child processes, including large data, and those start no process for it', async () => {
    const [first, second] = children;
    first?.send({ id: 1, owner: 'a', body: 'return $input.first().json.text.length', size: 3_000_000 });
    second?.send({ id: 2, owner: 'b', body: 'return 2' });
    expect(await Promise.all([answerTo(1), answerTo(2)])).toMatchObject([{ value: 3_000_000 }, { value: 2 }]);
    const forked = childrenOf(process.pid).filter((pid) =>
      readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('pools-program'),
    );
    expect(forked).toHaveLength(2);
    expect(forked.flatMap(childrenOf)).toEqual([]);
  });

  it('do not give an owner a larger share for runs in several processes', async () => {
    const [first, second] = children;
    for (const [id, child] of [first, second, first, second].entries())
      child?.send({ id, owner: 'greedy', body: 'await new Promise((resolve) => setTimeout(resolve, 700)); return 1' });
    await until('their start', () => told.length > 0);
    // One ordinary place, which the greedy owner has, and the reserved one, which is free.
    expect(await runScript(pools.code.of('modest'), 'return 1')).toMatchObject({ value: 1 });
    expect(told.length).toBeLessThan(4);
    await Promise.all([0, 1, 2, 3].map(answerTo));
  });

  it('give the place of a child process that dies to others', async () => {
    const [dying, living] = children;
    dying?.send({ id: 1, owner: 'a', body: 'for (;;);' });
    await until('it to have a process', async () => {
      const waiting = await within(runScript(pools.code.of('a'), 'return 1'), 100);
      return waiting === undefined;
    });
    await dying?.stop();
    living?.send({ id: 2, owner: 'a', body: 'return 3' });
    expect(await answerTo(2)).toMatchObject({ value: 3 });
    expect(told.filter(({ id }) => id === 1)).toEqual([]);
  });
});
