import { ThreadTurns } from './thread-turns';

describe('turns at the thread', () => {
  it('go round among the keys, however many runs of one key wait', async () => {
    const turns = new ThreadTurns();
    const order: string[] = [];
    await Promise.all(
      ['greedy', 'greedy', 'greedy', 'other', 'third', 'other'].map(async (key) => {
        await turns.take(key);
        order.push(key);
      }),
    );
    expect(order).toEqual(['greedy', 'other', 'third', 'greedy', 'other', 'greedy']);
  });

  it('are given one in each round of the event loop', async () => {
    const turns = new ThreadTurns();
    let rounds = 0;
    const taken: number[] = [];
    const count = (): void => {
      rounds += 1;
      if (taken.length < 3 && rounds < 1_000) setImmediate(count);
    };
    setImmediate(count);
    await Promise.all(
      [1, 2, 3].map(async () => {
        await turns.take('a');
        taken.push(rounds);
      }),
    );
    expect(new Set(taken).size).toBe(3);
  });
});
