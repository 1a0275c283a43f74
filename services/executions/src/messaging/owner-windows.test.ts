import { createOwnerWindows } from './owner-windows';

const windowsOf = (size = 3, maxWaiting = 100, overflowAt = 2) => {
  const state = { now: 0 };
  const windows = createOwnerWindows(
    { size, overflowAt, overflowMs: 500, maxWaiting, expireMs: 1_000 },
    () => state.now,
  );
  const admit = (ownerId: string | undefined, from: number, to: number): string[] =>
    Array.from({ length: to - from }, (_, n) => `${ownerId}-${from + n}`).flatMap((id) =>
      idsOf(windows.admit({ id, dedupeId: '0', ...(ownerId === undefined ? {} : { ownerId }) })),
    );
  return { state, windows, admit };
};
const idsOf = (announcements: readonly { readonly id: string }[]): string[] => announcements.map(({ id }) => id);

describe('windows of owners', () => {
  it('announce a few executions of each owner, however many others wait', () => {
    const { windows, admit } = windowsOf();
    expect(admit('a', 0, 50)).toEqual(['a-0', 'a-1', 'a-2']);
    expect(admit('b', 0, 2)).toEqual(['b-0', 'b-1']);
    expect(windows.waiting()).toBe(47);
  });

  it('announce the next ones of an owner in order when runners claim the first', () => {
    const { windows, admit } = windowsOf();
    admit('a', 0, 6);
    expect(idsOf(windows.taken(['a-1', 'unknown', 'a-1']))).toEqual(['a-3']);
    expect(idsOf(windows.taken(['a-0', 'a-2', 'a-3']))).toEqual(['a-4', 'a-5']);
    windows.taken(['a-4', 'a-5']);
    expect([windows.waiting(), admit('a', 6, 9).length]).toEqual([0, 3]);
  });

  it('do not hold back executions without an owner, or repeated announcements', () => {
    const { windows, admit } = windowsOf();
    admit('a', 0, 10);
    expect(admit(undefined, 0, 5)).toHaveLength(5);
    expect(idsOf(windows.admit({ id: 'a-0', dedupeId: '1', ownerId: 'a' }))).toEqual(['a-0']);
    expect(windows.admit({ id: 'a-5', dedupeId: '1', ownerId: 'a' })).toEqual([]);
    expect(windows.waiting()).toBe(7);
  });

  it('give up on executions that no runner claimed in time', () => {
    const { state, windows, admit } = windowsOf();
    admit('a', 0, 5);
    state.now = 999;
    expect(windows.expire()).toEqual([]);
    state.now = 1_000;
    expect(idsOf(windows.expire())).toEqual(['a-3', 'a-4']);
    expect(windows.expire()).toEqual([]);
  });

  it('let an owner with many executions overflow, until there were few for a while', () => {
    const { state, windows } = windowsOf();
    const admit = (id: string, ownerId = 'a') =>
      windows.admit({ id, dedupeId: '0', ownerId }).map(({ overflows }) => overflows);
    expect([admit('1'), admit('2'), admit('3'), admit('4', 'b')]).toEqual([[false], [false], [true], [false]]);
    expect([windows.overflows('a'), windows.overflows('b')]).toEqual([true, false]);
    windows.taken(['1', '2', '3']);
    state.now = 499;
    expect(admit('5')).toEqual([true]);
    windows.taken(['5']);
    state.now = 500;
    expect(admit('6')).toEqual([false]);
  });

  it('let an owner with many executions in a runner overflow', () => {
    const { state, windows, admit } = windowsOf();
    windows.noteSaturating('a');
    expect([windows.isSaturating('a'), windows.isSaturating('b')]).toEqual([true, false]);
    expect(windows.admit({ id: '1', dedupeId: '0', ownerId: 'a' })).toMatchObject([{ overflows: true }]);
    expect(admit('b', 0, 1)).toEqual(['b-0']);
    windows.noteSaturating('c');
    state.now = 500;
    windows.expire();
    expect([windows.overflows('c'), windows.isSaturating('a')]).toEqual([false, false]);
  });

  it('remove an owner when all were claimed and it no longer overflows', () => {
    const { state, windows, admit } = windowsOf();
    admit('a', 0, 3);
    windows.taken(['a-0', 'a-1', 'a-2']);
    windows.expire();
    expect(windows.overflows('a')).toBe(true);
    state.now = 500;
    windows.expire();
    expect(windows.overflows('a')).toBe(false);
  });

  it('limit the number of waiting ids, and leave the rest to the sweeper', () => {
    const { windows, admit } = windowsOf(3, 10);
    admit('a', 0, 100);
    expect(windows.waiting()).toBe(10);
    expect(admit('b', 0, 3)).toHaveLength(3);
  });
});
