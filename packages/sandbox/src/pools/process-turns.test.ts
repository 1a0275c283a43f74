import { closeAfterEach } from '@weft/service-kit/testing';
import { isPlace, ProcessTurns, type Place } from './process-turns';

const { signal } = new AbortController();

interface Got {
  readonly owner: string;
  readonly place: Place;
}

/** Takes turns for owners in the given order, and records who got them. */
const takeAll = (turns: ProcessTurns, owners: readonly string[], isLong = false): Got[] => {
  const got: Got[] = [];
  for (const owner of owners)
    void turns.take(owner, signal, isLong).then((turn) => {
      if (isPlace(turn)) got.push({ owner, place: turn });
    });
  return got;
};
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const ownersOf = (got: readonly Got[]): string[] => got.map(({ owner }) => owner);

describe('turns to run code', () => {
  const later = closeAfterEach();
  const openTurns = (...limits: ConstructorParameters<typeof ProcessTurns>): ProcessTurns =>
    later(new ProcessTurns(...limits), (turns) => turns.close());

  it('go to an owner with no running turn before one that has some, however many of those wait', async () => {
    const turns = openTurns(2);
    const got = takeAll(turns, ['hungry', 'hungry', 'hungry', 'hungry', 'other', 'modest']);
    await settled();
    expect(ownersOf(got)).toEqual(['hungry', 'hungry', 'other']);
    turns.giveBack('hungry', 'ordinary');
    await settled();
    expect(ownersOf(got).at(-1)).toBe('modest');
    turns.giveBack('modest', 'ordinary');
    await settled();
    expect(ownersOf(got).at(-1)).toBe('hungry');
  });

  it('go to a new owner before owners whose turns have just ended, however many of those wait', async () => {
    const turns = openTurns(1);
    const crowd = (owner: string): string[] => Array.from({ length: 50 }, () => owner);
    const got = takeAll(turns, [...crowd('a'), ...crowd('b'), ...crowd('c'), 'modest']);
    await settled();
    const before = ownersOf(got).length;
    for (let ended = 0; ended < 3; ended += 1) {
      const { owner, place } = got[ended] ?? { owner: '', place: 'ordinary' };
      turns.giveBack(owner, place);
      await settled();
    }
    expect(ownersOf(got.slice(before))).toContain('modest');
  });

  it('go to a waiting owner before others that had a turn later and come back', async () => {
    const turns = openTurns(1);
    const got = takeAll(turns, ['many', 'many', 'quick', 'other']);
    await settled();
    expect(got.map(({ owner, place }) => [owner, place])).toEqual([
      ['many', 'ordinary'],
      ['quick', 'reserve'],
    ]);
    turns.giveBack('quick', 'reserve');
    const back = takeAll(turns, ['quick']);
    await settled();
    expect(ownersOf(got)).toEqual(['many', 'quick', 'other']);
    turns.giveBack('many', 'ordinary');
    await settled();
    expect([ownersOf(got), back]).toEqual([['many', 'quick', 'other', 'many'], []]);
  });

  it('are split evenly between two waiting owners', async () => {
    const turns = openTurns(4);
    const got = takeAll(turns, [...Array.from({ length: 20 }, () => 'a'), ...Array.from({ length: 20 }, () => 'b')]);
    await settled();
    for (let ended = 0; ended < 20; ended += 1) {
      const { owner, place } = got[ended] ?? { owner: '', place: 'ordinary' };
      turns.giveBack(owner, place);
      await settled();
    }
    const underWay = ownersOf(got.slice(20));
    expect(underWay.filter((owner) => owner === 'a').length).toBeGreaterThanOrEqual(2);
    expect(underWay.filter((owner) => owner === 'b').length).toBeGreaterThanOrEqual(2);
  });

  it('reserve one place for others, which an owner with all the rest cannot take', async () => {
    const turns = openTurns(2);
    const got = takeAll(turns, ['greedy', 'greedy', 'greedy', 'greedy']);
    await settled();
    expect(got).toHaveLength(2);
    expect(await turns.take('modest', signal)).toBe('reserve');
  });

  it('let a long run keep that place only until another owner wants it', async () => {
    const turns = openTurns(1);
    expect([await turns.take('a', signal), await turns.take('b', signal)]).toEqual(['ordinary', 'reserve']);
    expect(turns.moveLong()).toBe('reserve');
    const again = takeAll(turns, ['a']);
    expect(turns.moveLong()).toBe('reserve');
    const got = takeAll(turns, ['c']);
    expect(turns.moveLong()).toBeUndefined();
    turns.giveBack('b', 'reserve');
    const displaced = takeAll(turns, ['b'], true);
    await settled();
    expect([got, again, displaced]).toEqual([[{ owner: 'c', place: 'reserve' }], [], []]);
    turns.giveBack('c', 'reserve');
    await settled();
    expect(displaced).toEqual([]);
    turns.giveBack('a', 'ordinary');
    await settled();
    expect([...again, ...displaced].filter(({ place }) => place === 'ordinary')).toHaveLength(1);
  });

  it('move a long run to an ordinary place when there is one, and give its place to a waiting owner', async () => {
    const turns = openTurns(1);
    await turns.take('a', signal);
    await turns.take('b', signal);
    turns.giveBack('a', 'ordinary');
    expect(turns.moveLong()).toBe('ordinary');
    expect(await turns.take('c', signal)).toBe('reserve');
  });

  it('are refused beyond the limit of waiting runs and after the maximum wait', async () => {
    const turns = openTurns(1, 2);
    const abort = new AbortController();
    expect([await turns.take('a', signal), await turns.take('b', signal)]).toEqual(['ordinary', 'reserve']);
    const waiting = [turns.take('a', abort.signal), turns.take('b', signal)];
    expect(await turns.take('c', signal)).toBe('busy');
    abort.abort();
    expect([await waiting[0], await turns.take('a', abort.signal)]).toEqual(['aborted', 'aborted']);
    turns.close();
    expect([await waiting[1], await turns.take('a', signal)]).toEqual(['closed', 'closed']);
  });

  it('let no owner fill the queue: others can wait when one no longer may', async () => {
    const turns = openTurns(1, 4);
    takeAll(turns, ['other', 'last', 'greedy', 'greedy']);
    expect(await turns.take('greedy', signal)).toBe('busy');
    const modest = takeAll(turns, ['modest']);
    turns.giveBack('other', 'ordinary');
    turns.giveBack('last', 'reserve');
    await settled();
    expect(modest).toHaveLength(1);
  });
});
