import { currentContext, withContext } from '../context';
import { createSharedReads } from './share-reads';

const recorded = () => {
  const begun: string[] = [];
  const contexts: ReturnType<typeof currentContext>[] = [];
  const release: ((error?: Error) => void)[] = [];
  const share = createSharedReads<string>();
  const ask = (key: string, asker = key): Promise<string> =>
    share(key, async () => {
      begun.push(asker);
      contexts.push(currentContext());
      await new Promise<void>((resolve, reject) =>
        release.push((error) => (error === undefined ? resolve() : reject(error))),
      );
      return `read of ${asker}`;
    });
  const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  return { ask, begun, contexts, turn, endNext: (error?: Error) => release.shift()?.(error) };
};

describe('shared reads', () => {
  it('use one read for equal calls of one tick, and separate reads for others', async () => {
    const { ask, begun, turn, endNext } = recorded();
    const calls = [ask('a', 'first'), ask('b'), ask('a', 'second')];
    await turn();
    expect(begun).toEqual(['first', 'b']);
    endNext();
    endNext();
    expect(await Promise.all(calls)).toEqual(['read of first', 'read of b', 'read of first']);
  });

  it('never answer a call from a read that began before it', async () => {
    const { ask, begun, turn, endNext } = recorded();
    void ask('a', 'first');
    await turn();
    const second = ask('a', 'second');
    await turn();
    const third = [ask('a', 'third'), ask('a', 'fourth')];
    await turn();
    expect(begun).toEqual(['first', 'second']);
    endNext();
    await turn();
    expect(begun).toEqual(['first', 'second', 'third']);
    endNext();
    endNext();
    expect(await second).toBe('read of second');
    expect(await Promise.all(third)).toEqual(['read of third', 'read of third']);
  });

  it('fail only the callers of a failed read', async () => {
    const { ask, turn, endNext } = recorded();
    const failed = ask('a', 'first');
    await turn();
    const next = ask('a', 'second');
    await turn();
    endNext(new Error('lost'));
    await expect(failed).rejects.toThrow('lost');
    endNext();
    expect(await next).toBe('read of second');
  });

  it('start a new read when none is in flight', async () => {
    const { ask, begun, turn, endNext } = recorded();
    for (const asker of ['first', 'second']) {
      const call = ask('a', asker);
      await turn();
      endNext();
      expect(await call).toBe(`read of ${asker}`);
    }
    expect(begun).toEqual(['first', 'second']);
  });

  it('have the request id of the first caller and the latest deadline, or none if a caller has none', async () => {
    const { ask, contexts, turn } = recorded();
    for (const [requestId, deadline] of [
      ['one', 10],
      ['two', 30],
      ['three', 20],
    ] as const)
      void withContext({ requestId, deadline }, () => ask('a'));
    void withContext({ requestId: 'one', deadline: 10 }, () => ask('b'));
    void ask('b');
    await turn();
    expect(contexts).toEqual([{ requestId: 'one', deadline: 30 }, undefined]);
  });
});
