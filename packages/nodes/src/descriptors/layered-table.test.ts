import { LayeredTable } from './layered-table';

describe('a layered table', () => {
  const table = new LayeredTable(
    new Map([
      ['b', 'top b'],
      ['c', 'top c'],
    ]),
    new Map([
      ['a', 'base a'],
      ['b', 'base b'],
    ]),
  );

  it('has the entries of both, those on top first', () => {
    expect(['a', 'b', 'c', 'd'].map((key) => table.get(key))).toEqual(['base a', 'top b', 'top c', undefined]);
    expect(['a', 'b', 'c', 'd'].map((key) => table.has(key))).toEqual([true, true, true, false]);
  });

  it('has every key once', () => {
    expect([[...table.keys()], table.size]).toEqual([['a', 'b', 'c'], 3]);
    expect([...table]).toEqual([
      ['a', 'base a'],
      ['b', 'top b'],
      ['c', 'top c'],
    ]);
    expect([...table.values()]).toEqual(['base a', 'top b', 'top c']);
    const seen: string[] = [];
    table.forEach((value, key) => seen.push(`${key} ${value}`));
    expect(seen).toHaveLength(3);
  });
});
