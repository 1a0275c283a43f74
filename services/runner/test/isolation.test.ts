import { createLogger } from '@weft/service-kit/logging';
import { join } from 'node:path';
import { createIsolation, type Isolation } from '../src/isolation/isolation';

describe('the processes in which runs are executed alone', () => {
  let isolation: Isolation;
  const open = (processes: number): void => {
    isolation = createIsolation({
      heapMb: 64,
      processes,
      // their deaths are reported, and are what a test wants
      logger: createLogger('test', 'silent'),
      program: join(__dirname, 'isolation-program.js'),
      pingMs: 20,
    });
  };
  afterEach(() => isolation.stop());

  it('are ended when a run never leaves their thread, and another one takes the runs that wait', async () => {
    open(1);
    const endless = isolation.run('endless');
    const next = isolation.run('next');
    expect([await endless, await next]).toEqual([true, true]);
  });

  it('stay as long as they answer', async () => {
    open(1);
    expect(await isolation.run('first')).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 20 * 60));
    expect(await isolation.run('second')).toBe(true);
  });

  it('begin a run where nothing runs, else where the fewest do', async () => {
    open(2);
    const answers = [];
    for (const id of ['long', 'beside 0', 'long', 'beside 1', 'long', 'beside 1', 'long', 'beside 2'])
      answers.push([id, await isolation.run(id)]);
    expect(answers.filter(([, isAnswered]) => isAnswered !== true)).toEqual([]);
  });

  it('leave each other alone: one dies, and the runs behind it begin in the next one, not beside others', async () => {
    open(2);
    await isolation.run('long');
    const answers = await Promise.all(['deadly', 'beside 0', 'beside 0'].map((id) => isolation.run(id)));
    expect(answers).toEqual([false, true, true]);
  });
});
