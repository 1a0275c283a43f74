import { LazyTable } from './lazy-table';

describe('a lazy table', () => {
  const tableOf = (): { readonly table: LazyTable<{ readonly name: string }>; readonly made: string[] } => {
    const made: string[] = [];
    const maker = (name: string) => () => {
      made.push(name);
      return { name };
    };
    return { table: new LazyTable(new Map(['a', 'b'].map((name) => [name, maker(name)]))), made };
  };

  it('makes a value when it is first read, once', () => {
    const { table, made } = tableOf();
    expect([table.size, table.has('a'), [...table.keys()]]).toEqual([2, true, ['a', 'b']]);
    expect(made).toEqual([]);
    expect(table.get('b')).toBe(table.get('b'));
    expect(table.get('c')).toBeUndefined();
    expect(made).toEqual(['b']);
  });

  it('lists all values, and keeps none of those that were only listed', () => {
    const { table, made } = tableOf();
    const known = table.get('a');
    expect([...table.values()][0]).toBe(known);
    expect([...table].map(([key, { name }]) => [key, name])).toEqual([
      ['a', 'a'],
      ['b', 'b'],
    ]);
    const seen: string[] = [];
    table.forEach(({ name }) => seen.push(name));
    expect(seen).toEqual(['a', 'b']);
    expect(made).toEqual(['a', 'b', 'b', 'b']);
  });
});
