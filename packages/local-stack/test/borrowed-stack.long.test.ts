import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { borrowStack, giveStackBack } from '../src/stack/borrowed-stack';
import type { Stack } from '../src/stack/stack';
import type { ServiceName } from '../src/stack/services';
import { STAND_INS, environmentIn } from './stand-ins';

describe('a stack that is borrowed', () => {
  const stacks = new Set<Stack>();
  const borrow: typeof borrowStack = async (options) => {
    const stack = await borrowStack({ programs: STAND_INS, ...options });
    stacks.add(stack);
    return stack;
  };
  const pidOf = (stack: Stack, service: ServiceName): number | undefined => stack.of(service)[0]?.pid;
  afterEach(() => Promise.all([...stacks].map((stack) => stack.stop())));

  it('serves the next borrower as requested: what was killed or differs in settings is new', async () => {
    const first = await borrow({ env: { executions: { LEASE_MS: '700' } } });
    const before = { runner: pidOf(first, 'runner'), gateway: pidOf(first, 'gateway') };
    first.of('runner')[0]?.kill('SIGKILL');
    await first.of('runner')[0]?.ended;
    await giveStackBack(first);
    const second = await borrow({ env: { executions: { QUEUE_LIMIT: '9' } } });
    expect(second.dataDir).toBe(first.dataDir);
    const environment = environmentIn(second.of('executions')[0]?.logFile ?? '');
    expect(environment).toMatchObject({ QUEUE_LIMIT: '9', SWEEP_MS: '1000' });
    expect(environment).not.toHaveProperty('LEASE_MS');
    expect([pidOf(second, 'gateway'), second.of('runner')[0]?.hasEnded]).toEqual([before.gateway, false]);
    expect(pidOf(second, 'runner')).not.toBe(before.runner);
  });

  it('has runners that know nothing of the borrower before', async () => {
    const usual = await borrow();
    const executions = pidOf(usual, 'executions');
    const pids = [pidOf(usual, 'runner')];
    let last = usual;
    for (const RUNNER_SLOTS of ['3', '3']) {
      await giveStackBack(last);
      last = await borrow({ env: { runner: { RUNNER_SLOTS } } });
      expect([last.dataDir, pidOf(last, 'executions')]).toEqual([usual.dataDir, executions]);
      expect(environmentIn(last.of('runner')[0]?.logFile ?? '')).toMatchObject({ RUNNER_SLOTS });
      pids.push(pidOf(last, 'runner'));
    }
    expect(new Set(pids).size).toBe(3);
  });

  it('has no other borrower before it is returned', async () => {
    const [one, other] = [await borrow(), await borrow()];
    expect(other.dataDir).not.toBe(one.dataDir);
  });

  it('keeps no process alive once it is returned, nor do its servers', async () => {
    // without addresses it starts its servers itself
    const env = { ...process.env, MONGODB_URI: undefined, NATS_URL: undefined };
    const program = join(__dirname, 'borrow-and-return.js');
    await expect(promisify(execFile)(process.execPath, [program], { env })).resolves.toMatchObject({ stderr: '' });
  });

  it('is stopped if another number of processes is needed', async () => {
    const single = await borrow();
    await giveStackBack(single);
    const double = await borrow({ replicas: 2 });
    expect(single.processes.every(({ hasEnded }) => hasEnded)).toBe(true);
    expect(double.processes.map(({ index }) => index)).toEqual([0, 1, 0, 1, 0, 1, 0, 1, 0, 1]);
  });
});
