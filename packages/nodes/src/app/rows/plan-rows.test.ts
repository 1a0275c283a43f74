import { columnLetters, planRows, type PlacedTable, type WriteSettings } from './plan-rows';

const table = (rows: PlacedTable['rows'], over: Partial<PlacedTable> = {}): PlacedTable => ({
  rows,
  headerRow: 1,
  firstRow: 2,
  ...over,
});
const settings = (over: Partial<WriteSettings>): WriteSettings => ({
  mode: 'upsert',
  match: 'id',
  rowNumber: 'row_number',
  adds: [],
  ...over,
});
const PETS = table([
  ['id', 'name', 'tags'],
  ['1', 'Ada'],
  ['2', 'Bo', 'x'],
]);

describe('the plan for records', () => {
  it('updates the rows that match and appends the others', () => {
    const plan = planRows(PETS, settings({}), [
      { id: 2, name: 'Bob', tags: ['a'] },
      { id: 3, name: 'Cy' },
    ]);
    expect(plan.cells.map(({ a1, value }) => [a1, value])).toEqual([
      ['B3', 'Bob'],
      ['C3', '["a"]'],
    ]);
    expect(plan.rows).toEqual([[3, 'Cy', '']]);
    expect(plan).toMatchObject({ isHeaderChanged: false, nextRow: 4, isBelow: true });
  });

  it('leaves cells alone for which a record has no value, and the column to match on', () => {
    const { cells } = planRows(PETS, settings({ mode: 'update' }), [{ id: '1', name: null, tags: '' }]);
    expect(cells.map(({ a1, value }) => [a1, value])).toEqual([['C2', '']]);
  });

  it('appends nothing in an update', () => {
    expect(planRows(PETS, settings({ mode: 'update' }), [{ id: '9', name: 'No' }])).toMatchObject({
      cells: [],
      rows: [],
    });
  });

  it('takes the first of several rows with the value', () => {
    const twice = table([['id', 'n'], ['1'], ['1']]);
    expect(planRows(twice, settings({}), [{ id: 1, n: 'x' }]).cells.map(({ a1 }) => a1)).toEqual(['B2']);
  });

  it('finds rows by their number', () => {
    const { cells } = planRows(PETS, settings({ mode: 'update', match: 'row_number' }), [
      { row_number: '3', name: 'Z' },
    ]);
    expect(cells.map(({ a1, value }) => [a1, value])).toEqual([['B3', 'Z']]);
  });

  it('adds columns once, and none for the number of the row', () => {
    const plan = planRows(PETS, settings({ adds: ['age', 'row_number', 'age', 'name'] }), [{ id: 1, age: 7 }]);
    expect(plan.header).toEqual(['id', 'name', 'tags', 'age']);
    expect(plan.cells.map(({ a1, value }) => [a1, value])).toEqual([['D2', 7]]);
  });

  it('makes the header of an empty table, and appends below it', () => {
    const plan = planRows(table([]), settings({ mode: 'append', match: undefined, adds: ['a', 'b'] }), [{ b: 1 }]);
    expect(plan).toMatchObject({
      header: ['a', 'b'],
      isHeaderChanged: true,
      rows: [['', 1]],
      nextRow: 2,
      isBelow: true,
    });
  });

  it('says if the last rows do not begin in the first column, below which a service would append', () => {
    const append = settings({ mode: 'append', match: undefined });
    const belowOf = (rows: PlacedTable['rows']): boolean => planRows(table(rows), append, []).isBelow;
    expect(belowOf([['a'], ['1'], [], ['', 'note']])).toBe(false);
    expect(belowOf([['a'], ['1'], ['', 'x'], ['', 'y']])).toBe(true);
    expect(belowOf([['a', 'b']])).toBe(true);
    expect(belowOf([])).toBe(true);
  });

  it('looks for rows from the first row with data', () => {
    const late = table([['x'], ['id', 'n'], ['1', 'skip'], ['1', 'take']], { headerRow: 2, firstRow: 4 });
    expect(planRows(late, settings({}), [{ id: 1, n: 'v' }]).cells.map(({ a1 }) => a1)).toEqual(['B4']);
  });
});

describe('the letters of a column', () => {
  it('are those of spreadsheets', () => {
    expect([0, 25, 26, 51, 52, 701, 702].map(columnLetters)).toEqual(['A', 'Z', 'AA', 'AZ', 'BA', 'ZZ', 'AAA']);
  });
});
