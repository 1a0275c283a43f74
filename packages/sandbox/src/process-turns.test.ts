import { closeAfterEach } from '@weft/service-kit/testing';
import { ProcessTurns } from './process-turns';

const { signal } = new AbortController();

/** Takes turns for owners in the order given, and notes who got one. */
const takeAll = (turns: ProcessTurns, owners: readonly string[]): string[] => {
  const got: string[] = [];
  for (const owner of owners)
    void turns.take(owner, signal).then((turn) => {
      if (turn === 'taken') got.push(owner);
    });
  return got;
};
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('turns to run code', () => {
  const later = closeAfterEach();
  const openTurns = (...limits: ConstructorParameters<typeof ProcessTurns>): ProcessTurns =>
    later(new ProcessTurns(...limits), (turns) => turns.close());

  it('go to an owner who has none under way before one who has, however many of that one wait', async () => {
    const turns = openTurns(2);
    const got = takeAll(turns, ['hungry', 'hungry', 'hungry', 'hungry', 'hungry', 'modest']);
    await settled();
    expect(got).toEqual(['hungry', 'hungry']);
    turns.giveBack('hungry');
    await settled();
    expect(got.at(-1)).toBe('modest');
    turns.giveBack('modest');
    await settled();
    expect(got.at(-1)).toBe('hungry');
  });

  it('are shared by half among two owners who both wait', async () => {
    const turns = openTurns(4);
    const got = takeAll(turns, [...Array.from({ length: 20 }, () => 'a'), ...Array.from({ length: 20 }, () => 'b')]);
    await settled();
    for (let ended = 0; ended < 20; ended += 1) {
      turns.giveBack(got[ended] ?? '');
      await settled();
    }
    const underWay = got.slice(20);
    expect([underWay.length, underWay.filter((owner) => owner === 'a').length]).toEqual([4, 2]);
  });

  it('are refused beyond the limit of those that wait, and when the wait is over', async () => {
    const turns = openTurns(1, 2);
    const abort = new AbortController();
    expect(await turns.take('a', signal)).toBe('taken');
    const waiting = [turns.take('a', abort.signal), turns.take('b', signal)];
    expect(await turns.take('c', signal)).toBe('busy');
    abort.abort();
    expect([await waiting[0], await turns.take('a', abort.signal)]).toEqual(['aborted', 'aborted']);
    turns.close();
    expect([await waiting[1], await turns.take('a', signal)]).toEqual(['closed', 'closed']);
  });
});
