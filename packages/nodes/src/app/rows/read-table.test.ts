import { type ReadSettings, recordsOf } from './read-table';

const settings = (over: Partial<ReadSettings> = {}): ReadSettings => ({
  headerRow: 1,
  firstRow: 2,
  until: 'lastRow',
  rowNumber: 'row_number',
  filters: [],
  matchesAll: true,
  isFirstOnly: false,
  isFirstOfEach: false,
  ...over,
});
const PETS = [['id', 'kind', ''], [1, 'cat'], [], [2, 'dog', 'x'], [3, 'cat', '']];

describe('the records of a table', () => {
  it('have the names of the columns and the number of the row, without empty rows', () => {
    expect(recordsOf(PETS, settings())).toEqual([
      { row_number: 2, id: 1, kind: 'cat', col_3: '' },
      { row_number: 4, id: 2, kind: 'dog', col_3: 'x' },
      { row_number: 5, id: 3, kind: 'cat', col_3: '' },
    ]);
  });

  it('end before the first empty row if that is asked for', () => {
    expect(recordsOf(PETS, settings({ until: 'firstEmptyRow' }))).toHaveLength(1);
  });

  it('begin below the first filled row, and have no columns without a name and values', () => {
    const table = [[], ['', 'id', '', 'n'], ['', 1, '', 'a']];
    expect(recordsOf(table, settings())).toEqual([{ row_number: 3, id: 1, n: 'a' }]);
  });

  it('of given rows are all below them, empty ones included', () => {
    const table = [['x'], ['id', 'n'], [1], [], [2, 'b']];
    expect(recordsOf(table, settings({ until: 'end', headerRow: 2, firstRow: 3 }))).toEqual([
      { row_number: 3, id: 1 },
      { row_number: 4 },
      { row_number: 5, id: 2, n: 'b' },
    ]);
  });

  it('do not exist without a header', () => {
    expect(recordsOf([], settings())).toEqual([]);
    expect(recordsOf([['a']], settings({ until: 'end', headerRow: 3, firstRow: 4 }))).toEqual([]);
    expect(recordsOf([[''], []], settings())).toEqual([]);
  });

  it('can be filtered by one value or several', () => {
    const numbers = (over: Partial<ReadSettings>): unknown => {
      const records = recordsOf(PETS, settings(over));
      return Array.isArray(records) ? records.map((one) => one['row_number']) : records;
    };
    const [cat, second] = [
      { column: 'kind', value: 'cat' },
      { column: 'id', value: '2' },
    ];
    expect(numbers({ filters: [cat] })).toEqual([2, 5]);
    expect(numbers({ filters: [cat], isFirstOnly: true })).toEqual([2]);
    expect(numbers({ filters: [second, cat], matchesAll: false })).toEqual([4, 2, 5]);
    expect(numbers({ filters: [second, cat], matchesAll: false, isFirstOfEach: true })).toEqual([4, 2]);
    expect(numbers({ filters: [cat, cat], matchesAll: false, isFirstOfEach: true })).toEqual([2]);
    expect(numbers({ filters: [second, cat], matchesAll: false, isFirstOnly: true })).toEqual([4]);
    expect(numbers({ filters: [{ column: 'col_3', value: null }] })).toEqual([]);
    expect(numbers({ filters: [second, cat] })).toEqual([]);
    expect(numbers({ filters: [{ column: 'row_number', value: 5 }] })).toEqual([5]);
    expect(numbers({ filters: [{ column: 'age', value: 1 }] })).toEqual({ unknownColumn: 'age' });
  });
});
