import { ThreadTurns } from './thread-turns';

describe('sharing the thread', () => {
  it('alternates between owners and their workflows, however many runs of one are waiting', async () => {
    const turns = new ThreadTurns();
    const order: string[] = [];
    const waiting = ['greedy 1', 'greedy 1', 'greedy 1', 'greedy 2', 'greedy 3', 'other 1', 'third 1', 'other 1'];
    await Promise.all(
      waiting.map(async (name) => {
        const [owner = '', workflow = ''] = name.split(' ');
        await turns.take(owner, workflow);
        order.push(name);
      }),
    );
    expect(order).toEqual([
      ...['greedy 1', 'other 1', 'third 1', 'greedy 2', 'other 1'],
      ...['greedy 3', 'greedy 1', 'greedy 1'],
    ]);
  });

  it('resumes one waiter per tick of the event loop', async () => {
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
        await turns.take('a', 'w');
        taken.push(rounds);
      }),
    );
    expect(new Set(taken).size).toBe(3);
  });
});
