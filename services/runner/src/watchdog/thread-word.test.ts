import { setImmediate as nextTurn } from 'node:timers/promises';
import { createSharedMemory, createThreadWord, readSlot, WORD, type WatchedRun } from './thread-word';

const runOf = (executionId: string): WatchedRun => ({
  executionId,
  workflowId: 'w',
  versionId: 'v',
  ownerKey: 'owner o',
});

describe('the word of the thread', () => {
  const memory = createSharedMemory();
  const words = new Int32Array(memory);
  const open = createThreadWord(memory);
  const read = (name: keyof typeof WORD): number => words[WORD[name]] ?? -1;
  const holder = (): string | undefined => readSlot(memory, read('holder'))?.executionId;

  it('names the run that has the thread, and its node, until everything that can run has run', async () => {
    const [one, other] = [open(runOf('one')), open(runOf('other'))];
    one.node('First node');
    one.mark();
    expect(readSlot(memory, read('holder'))).toEqual({ ...runOf('one'), node: 'First node' });
    await Promise.resolve();
    expect(holder()).toBe('one');
    await nextTurn();
    expect(read('holder')).toBe(0);
    other.mark();
    expect(holder()).toBe('other');
    for (const each of [one, other]) each.close();
  });

  it('counts a turn when another run has the thread, and when it is free, and none while a run keeps it', async () => {
    const [one, other] = [open(runOf('one')), open(runOf('other'))];
    const turns: number[] = [];
    for (const step of [one.mark, one.mark, other.mark, one.mark]) {
      step();
      turns.push(read('turn'));
    }
    await nextTurn();
    const [first = 0] = turns;
    expect(turns).toEqual([first, first, first + 1, first + 2]);
    expect(read('turn')).toBe(first + 3);
    for (const each of [one, other]) each.close();
  });

  it('tells whether the holder is certain: alone since the thread was free, or in synchronous work', async () => {
    const [one, other] = [open(runOf('one')), open(runOf('other'))];
    const isNamed = (): boolean => read('isCertain') === 1 || read('isShared') === 0;
    one.mark();
    expect(isNamed()).toBe(true);
    other.mark();
    expect(isNamed()).toBe(false);
    expect(one.within(() => one.within(() => isNamed()) && isNamed())).toBe(true);
    expect(() =>
      one.within(() => {
        throw new Error('failed');
      }),
    ).toThrow('failed');
    expect(isNamed()).toBe(false);
    await nextTurn();
    one.mark();
    expect(isNamed()).toBe(true);
    for (const each of [one, other]) each.close();
  });

  it('never names a run that has left, or the next one in its slot for what is left of it', async () => {
    const left = open(runOf('left'));
    left.mark();
    left.close();
    left.close();
    expect(read('holder')).toBe(0);
    const next = open(runOf('next'));
    left.mark();
    left.node('Other');
    expect(left.within(() => read('holder'))).toBe(0);
    await nextTurn();
    next.mark();
    expect(readSlot(memory, read('holder'))).toEqual({ ...runOf('next'), node: '' });
    next.close();
    const [one, other] = [open(runOf('one')), open(runOf('other'))];
    one.mark();
    other.mark();
    expect(holder()).toBe('other');
    for (const each of [one, other]) each.close();
  });

  it('has room for long names, of which it keeps whole characters, and for more runs than a runner has', () => {
    const many = Array.from({ length: 5_000 }, (_, n) => open(runOf(`run ${n}`)));
    const long = many[4_000];
    long?.node('é'.repeat(100));
    long?.mark();
    expect(readSlot(memory, read('holder'))).toEqual({ ...runOf('run 4000'), node: 'é'.repeat(64) });
    // Runs beyond its room are executed without being watched.
    expect(many[4_999]?.within(() => holder())).toBe('run 4000');
    for (const each of many) each.close();
  });
});
