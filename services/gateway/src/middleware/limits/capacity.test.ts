import { createCapacity, type Sender } from './capacity';

interface TestSender extends Sender {
  isDropped: boolean;
}

/** Takes one unit of capacity for a sender of that rate. */
const enter = (
  capacity: ReturnType<typeof createCapacity>,
  client: string,
  rate: number | undefined,
): TestSender | undefined => {
  if (!capacity.take(client, 1)) return undefined;
  const sender: TestSender = {
    isDropped: false,
    rate: () => rate,
    drop: () => {
      sender.isDropped = true;
      leave();
      capacity.give(client, 1);
    },
  };
  const leave = capacity.enter(client, sender);
  return sender;
};

describe('a capacity', () => {
  it('limits each client to its share', () => {
    const capacity = createCapacity(10, 2);
    expect([1, 2, 3].map(() => capacity.take('a', 1))).toEqual([true, true, false]);
    expect(capacity.take('b', 2)).toBe(true);
    capacity.give('a', 1);
    expect(capacity.take('a', 1)).toBe(true);
    expect(createCapacity(3, 5).take('a', 4)).toBe(false);
  });

  it('gives a newcomer the place of the slowest sender of the client that holds most', () => {
    const capacity = createCapacity(5, 3);
    const [fast, slow] = [enter(capacity, 'large', 9), enter(capacity, 'large', 1)];
    enter(capacity, 'large', 5);
    const small = [enter(capacity, 'small', 0.1), enter(capacity, 'small', 0.1)];
    expect(enter(capacity, 'new', undefined)).toBeDefined();
    expect([fast, slow, ...small].map((sender) => sender?.isDropped)).toEqual([false, true, false, false]);
  });

  it('lets many clients with one place each lock no other out, and drops the slowest of all', () => {
    const capacity = createCapacity(3, 2);
    const [, slowest] = [enter(capacity, 'a', 3), enter(capacity, 'b', 1), enter(capacity, 'c', 2)];
    expect(enter(capacity, 'new', undefined)).toBeDefined();
    expect(slowest?.isDropped).toBe(true);
  });

  it('refuses a client that would hold most, and one that finds only requests that have arrived', () => {
    const capacity = createCapacity(3, 3);
    enter(capacity, 'a', 1);
    enter(capacity, 'b', 1);
    enter(capacity, 'b', 1);
    expect(enter(capacity, 'b', 1)).toBeUndefined();
    const arrived = createCapacity(1, 1);
    enter(arrived, 'a', undefined);
    expect(enter(arrived, 'new', 1)).toBeUndefined();
  });

  it('counts amounts, and drops as many senders as the newcomer needs', () => {
    const capacity = createCapacity(10, 10);
    for (let count = 0; count < 10; count += 1) enter(capacity, 'a', count);
    expect(capacity.take('b', 4)).toBe(true);
    expect([capacity.held('a'), capacity.held('b')]).toEqual([6, 4]);
    expect(capacity.take('b', 3)).toBe(false);
  });
});
