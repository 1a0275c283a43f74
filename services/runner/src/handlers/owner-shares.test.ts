import { setTimeout as sleep } from 'node:timers/promises';
import { createShares, type ShareLimits } from './owner-shares';

const LIMITS: ShareLimits = { all: 3, each: 2, waiting: 4, eachWaiting: 2, waitMs: 100 };
const MESSAGES = { all: 'All is in use.', each: 'Yours are in use.' };

/** Work that ends when told to, in the order in which it began. */
const setUp = (limits = LIMITS) => {
  const withinShare = createShares(limits, MESSAGES);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const start = (id: string): Promise<string> =>
    withinShare(id, async () => {
      begun.push(id);
      await new Promise<void>((resolve) => ends.push(resolve));
      return id;
    });
  return { start, begun, ends };
};

describe('a share', () => {
  it('lets the third request of an owner wait until one has ended', async () => {
    const { start, begun, ends } = setUp();
    const all = [start('a'), start('a'), start('a')];
    await sleep(10);
    expect(begun).toEqual(['a', 'a']);
    ends[0]?.();
    await sleep(10);
    expect(begun).toEqual(['a', 'a', 'a']);
    for (const end of ends) end();
    await expect(Promise.all(all)).resolves.toEqual(['a', 'a', 'a']);
  });

  it('refuses a request that has waited too long, with the reason, and serves later ones', async () => {
    const { start, begun, ends } = setUp();
    const first = [start('a'), start('a')];
    await expect(start('a')).rejects.toThrow(MESSAGES.each);
    const other = start('b');
    await expect(start('c')).rejects.toThrow(MESSAGES.all);
    for (const end of ends) end();
    await Promise.all([...first, other]);
    const later = start('a');
    ends.at(-1)?.();
    await expect(later).resolves.toBe('a');
    expect(begun).toEqual(['a', 'a', 'b', 'a']);
  });

  it('lets an owner whose requests wait delay no other', async () => {
    const { start, begun, ends } = setUp();
    const hostile = Array.from({ length: 4 }, () => start('hostile').catch(() => 'refused'));
    const healthy = start('healthy');
    expect(begun).toEqual(['hostile', 'hostile', 'healthy']);
    ends[2]?.();
    await expect(healthy).resolves.toBe('healthy');
    await sleep(150);
    for (const end of ends) end();
    expect(await Promise.all(hostile)).toEqual(['hostile', 'hostile', 'refused', 'refused']);
  });

  it('refuses at once what exceeds the number of those that may wait', async () => {
    const { start, ends } = setUp({ ...LIMITS, waitMs: 60_000 });
    const all = Array.from({ length: 4 }, () => start('a'));
    await expect(start('a')).rejects.toThrow(MESSAGES.each);
    for (let end = 0; end < 4; end += 1) {
      ends[end]?.();
      await sleep(5);
    }
    await expect(Promise.all(all)).resolves.toHaveLength(4);
  });

  it('continues after work that failed', async () => {
    const withinShare = createShares({ ...LIMITS, each: 1 }, MESSAGES);
    const failing = withinShare('a', () => Promise.reject(new Error('no')));
    const next = withinShare('a', () => Promise.resolve('next'));
    await expect(failing).rejects.toThrow('no');
    await expect(next).resolves.toBe('next');
  });
});
