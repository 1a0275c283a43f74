import type { Delta } from '@weft/proto/events';
import { createDeltaReaders } from './delta-readers';

const part = (offset: number, text: string, number = 0): Delta => ({
  node: 'Agent',
  nodeId: 'a',
  run: 0,
  item: 0,
  attempt: 1,
  number,
  offset,
  text,
  ends: false,
});

const setUp = () => {
  const subscribed: string[] = [];
  const readers = createDeltaReaders({
    subscribe: (id) => {
      subscribed.push(id);
      return () => subscribed.push(`-${id}`);
    },
  });
  return { subscribed, readers };
};

describe('readers of text', () => {
  it('subscribe to an execution once, until the last one has left', () => {
    const { subscribed, readers } = setUp();
    const [first, second] = [readers.open('e'), readers.open('e')];
    first.close();
    expect(subscribed).toEqual(['e']);
    second.close();
    second.close();
    expect(subscribed).toEqual(['e', '-e']);
  });

  it('each get all parts of their execution, joined if they read slowly', () => {
    const { readers } = setUp();
    const [first, second, other] = [readers.open('e'), readers.open('e'), readers.open('f')];
    let wakes = 0;
    first.onDelta(() => (wakes += 1));
    readers.receive('e', [part(0, 'one ')]);
    expect([first.take(), wakes]).toEqual([[part(0, 'one ')], 1]);
    readers.receive('e', [part(4, 'two'), part(0, 'other', 1)]);
    readers.receive('e', [part(7, '!')]);
    expect(second.take()).toEqual([part(0, 'one two!'), part(0, 'other', 1)]);
    expect(other.take()).toEqual([]);
  });

  it('miss parts, visible by the offset, if they are far behind', () => {
    const { readers } = setUp();
    const reader = readers.open('e');
    for (let at = 0; at < 30; at += 1) readers.receive('e', [part(at * 10_000, 'x'.repeat(10_000))]);
    const taken = reader.take();
    expect(taken[0]?.offset).toBeGreaterThan(0);
    expect(taken.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(131_072);
  });
});
