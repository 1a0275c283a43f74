import type { Delta } from '@weft/proto/events';
import { createRunTexts } from './run-texts';

const TEXT = { node: 'Agent', nodeId: 'a', run: 0, itemIndex: 0 };

const setUp = () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] });
  const world = { isFollowed: true, sent: [] as { readonly at: number; readonly deltas: readonly Delta[] }[] };
  const clock = (): number => Date.now();
  const begun = clock();
  const texts = createRunTexts({
    isFollowed: () => world.isFollowed,
    send: (_, deltas) => world.sent.push({ at: clock() - begun, deltas }),
    clock,
  });
  return { world, texts, run: texts.of({ executionId: 'e', fence: 3 }) };
};

describe('streams of the text of a run', () => {
  afterEach(() => jest.useRealTimers());

  it('are not opened unless the run is followed', () => {
    const { world, run } = setUp();
    world.isFollowed = false;
    expect(run.open(TEXT)).toBeUndefined();
  });

  it('are sent at once at first, and then together every 25 ms', () => {
    const { world, run } = setUp();
    const stream = run.open(TEXT);
    for (const part of ['one ', 'two ', 'three']) stream?.write(part);
    stream?.end();
    jest.advanceTimersByTime(100);
    const head = { node: 'Agent', nodeId: 'a', run: 0, item: 0, attempt: 3, number: 0 };
    expect(world.sent).toEqual([
      { at: 0, deltas: [{ ...head, offset: 0, text: 'one ', ends: false }] },
      { at: 25, deltas: [{ ...head, offset: 4, text: 'two three', ends: true }] },
    ]);
  });

  it('are told apart by their numbers, and share messages', () => {
    const { world, run } = setUp();
    const first = run.open(TEXT);
    first?.write('a');
    first?.write('b');
    run.open({ ...TEXT, itemIndex: 1 })?.write('c');
    jest.advanceTimersByTime(25);
    expect(world.sent[1]?.deltas.map(({ number, item, text }) => [number, item, text])).toEqual([
      [0, 0, 'b'],
      [1, 1, 'c'],
    ]);
  });

  it('send at most 40 messages of 16 KiB in a second, and show by the offset that parts are missing', () => {
    const { world, run } = setUp();
    const stream = run.open(TEXT);
    const part = 'x'.repeat(10_000);
    for (let ms = 0; ms < 1_000; ms += 5) {
      stream?.write(part);
      jest.advanceTimersByTime(5);
    }
    expect(world.sent.length).toBeLessThanOrEqual(41);
    expect(Math.max(...world.sent.map(({ deltas }) => deltas[0]?.text.length ?? 0))).toBeLessThanOrEqual(16_384);
    const ends = world.sent.map(({ deltas }) => (deltas[0]?.offset ?? 0) + (deltas[0]?.text.length ?? 0));
    expect(world.sent.slice(1).some(({ deltas }, index) => (deltas[0]?.offset ?? 0) > (ends[index] ?? 0))).toBe(true);
  });

  it('do not use more than the rate of the process, however many runs there are', () => {
    const { world, texts } = setUp();
    const runs = Array.from({ length: 100 }, (_, index) => texts.of({ executionId: `e${index}`, fence: 1 }));
    const streams = runs.map((run) => run.open(TEXT));
    for (let ms = 0; ms < 2_000; ms += 25) {
      for (const stream of streams) stream?.write('x'.repeat(4_000));
      jest.advanceTimersByTime(25);
    }
    const characters = world.sent.flatMap(({ deltas }) => deltas).reduce((sum, { text }) => sum + text.length, 0);
    // The budget at the start, and that of two seconds.
    expect(characters).toBeLessThanOrEqual(6_000_000);
  });

  it('do not split a surrogate pair', () => {
    const { world, run } = setUp();
    const stream = run.open(TEXT);
    stream?.write(`${'x'.repeat(16_383)}😀`);
    stream?.end();
    jest.advanceTimersByTime(100);
    const parts = world.sent.flatMap(({ deltas }) => deltas.map(({ text }) => text));
    expect(parts.map((part) => part.isWellFormed())).toEqual(parts.map(() => true));
    expect(parts.join('')).toHaveLength(16_385);
  });
});
