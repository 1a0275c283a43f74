import { closeAfterEach } from '@weft/service-kit/testing';
import { isPlace, ProcessPlaces, type Place } from './process-places';

const { signal } = new AbortController();

interface Got {
  readonly owner: string;
  readonly place: Place;
}

/** Takes places for owners in the given order, and records who got them. */
const takeAll = (places: ProcessPlaces, owners: readonly string[], isLong = false): Got[] => {
  const got: Got[] = [];
  for (const owner of owners)
    void places.take(owner, signal, isLong).then((place) => {
      if (isPlace(place)) got.push({ owner, place });
    });
  return got;
};
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const ownersOf = (got: readonly Got[]): string[] => got.map(({ owner }) => owner);

describe('places to run code', () => {
  const later = closeAfterEach();
  const openPlaces = (...limits: ConstructorParameters<typeof ProcessPlaces>): ProcessPlaces =>
    later(new ProcessPlaces(...limits), (places) => places.close());

  it('go to an owner with no running code before one that has some, however many of those wait', async () => {
    const places = openPlaces(2);
    const got = takeAll(places, ['hungry', 'hungry', 'hungry', 'hungry', 'other', 'modest']);
    await settled();
    expect(ownersOf(got)).toEqual(['hungry', 'hungry', 'other']);
    places.giveBack('hungry', 'ordinary');
    await settled();
    expect(ownersOf(got).at(-1)).toBe('modest');
    places.giveBack('modest', 'ordinary');
    await settled();
    expect(ownersOf(got).at(-1)).toBe('hungry');
  });

  it('go to a new owner before owners whose code has just ended, however many of those wait', async () => {
    const places = openPlaces(1);
    const crowd = (owner: string): string[] => Array.from({ length: 50 }, () => owner);
    const got = takeAll(places, [...crowd('a'), ...crowd('b'), ...crowd('c'), 'modest']);
    await settled();
    const before = ownersOf(got).length;
    for (let ended = 0; ended < 3; ended += 1) {
      const { owner, place } = got[ended] ?? { owner: '', place: 'ordinary' };
      places.giveBack(owner, place);
      await settled();
    }
    expect(ownersOf(got.slice(before))).toContain('modest');
  });

  it('go to a waiting owner before others that had a place later and come back', async () => {
    const places = openPlaces(1);
    const got = takeAll(places, ['many', 'many', 'quick', 'other']);
    await settled();
    expect(got.map(({ owner, place }) => [owner, place])).toEqual([
      ['many', 'ordinary'],
      ['quick', 'reserve'],
    ]);
    places.giveBack('quick', 'reserve');
    const back = takeAll(places, ['quick']);
    await settled();
    expect(ownersOf(got)).toEqual(['many', 'quick', 'other']);
    places.giveBack('many', 'ordinary');
    await settled();
    expect([ownersOf(got), back]).toEqual([['many', 'quick', 'other', 'many'], []]);
  });

  it('are split evenly between two waiting owners', async () => {
    const places = openPlaces(4);
    const got = takeAll(places, [...Array.from({ length: 20 }, () => 'a'), ...Array.from({ length: 20 }, () => 'b')]);
    await settled();
    for (let ended = 0; ended < 20; ended += 1) {
      const { owner, place } = got[ended] ?? { owner: '', place: 'ordinary' };
      places.giveBack(owner, place);
      await settled();
    }
    const underWay = ownersOf(got.slice(20));
    expect(underWay.filter((owner) => owner === 'a').length).toBeGreaterThanOrEqual(2);
    expect(underWay.filter((owner) => owner === 'b').length).toBeGreaterThanOrEqual(2);
  });

  it('reserve one place for others, which an owner with all the rest cannot take', async () => {
    const places = openPlaces(2);
    const got = takeAll(places, ['greedy', 'greedy', 'greedy', 'greedy']);
    await settled();
    expect(got).toHaveLength(2);
    expect(await places.take('modest', signal)).toBe('reserve');
  });

  it('let a long run keep that place only until another owner wants it', async () => {
    const places = openPlaces(1);
    expect([await places.take('a', signal), await places.take('b', signal)]).toEqual(['ordinary', 'reserve']);
    expect(places.moveLong()).toBe('reserve');
    const again = takeAll(places, ['a']);
    expect(places.moveLong()).toBe('reserve');
    const got = takeAll(places, ['c']);
    expect(places.moveLong()).toBeUndefined();
    places.giveBack('b', 'reserve');
    const displaced = takeAll(places, ['b'], true);
    await settled();
    expect([got, again, displaced]).toEqual([[{ owner: 'c', place: 'reserve' }], [], []]);
    places.giveBack('c', 'reserve');
    await settled();
    expect(displaced).toEqual([]);
    places.giveBack('a', 'ordinary');
    await settled();
    expect([...again, ...displaced].filter(({ place }) => place === 'ordinary')).toHaveLength(1);
  });

  it('move a long run to an ordinary place when there is one, and give its place to a waiting owner', async () => {
    const places = openPlaces(1);
    await places.take('a', signal);
    await places.take('b', signal);
    places.giveBack('a', 'ordinary');
    expect(places.moveLong()).toBe('ordinary');
    expect(await places.take('c', signal)).toBe('reserve');
  });

  it('are refused beyond the limit of waiting runs and after the maximum wait', async () => {
    const places = openPlaces(1, 2);
    const abort = new AbortController();
    expect([await places.take('a', signal), await places.take('b', signal)]).toEqual(['ordinary', 'reserve']);
    const waiting = [places.take('a', abort.signal), places.take('b', signal)];
    expect(await places.take('c', signal)).toBe('busy');
    abort.abort();
    expect([await waiting[0], await places.take('a', abort.signal)]).toEqual(['aborted', 'aborted']);
    places.close();
    expect([await waiting[1], await places.take('a', signal)]).toEqual(['closed', 'closed']);
  });

  it('let no owner fill the queue: others can wait when one no longer may', async () => {
    const places = openPlaces(1, 4);
    takeAll(places, ['other', 'last', 'greedy', 'greedy']);
    expect(await places.take('greedy', signal)).toBe('busy');
    const modest = takeAll(places, ['modest']);
    places.giveBack('other', 'ordinary');
    places.giveBack('last', 'reserve');
    await settled();
    expect(modest).toHaveLength(1);
  });
});
