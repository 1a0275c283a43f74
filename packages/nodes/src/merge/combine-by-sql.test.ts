import type { JsonObject } from '@weft/node-catalogue';
import { caseEnvironment } from '../testing/case-environment';
import { runKind } from '../testing/cases/run-kind';
import { withLinks } from './combine-by-sql';

const environment = caseEnvironment();

const inputs: JsonObject[][] = [
  [
    { id: 1, a: 'x', nested: { deep: [1, 2] } },
    { id: 2, a: 'y', nested: { deep: [] } },
  ],
  [
    { id: 2, b: 'p' },
    { id: 2, b: 'q' },
  ],
];
const run = (query: string, more: JsonObject = {}, version = 3.2) =>
  runKind('merge', {
    ...environment().ports,
    inputs,
    parameters: { mode: 'combineBySql', query, ...more },
    version,
  });
const rowsOf = async (query: string, more?: JsonObject, version?: number) =>
  (await run(query, more, version)).outputs[0];

describe('merging by SQL', () => {
  it('reads fields of nested objects', async () => {
    expect(await rowsOf('SELECT nested->deep AS deep FROM input1 WHERE id = 1')).toEqual([{ deep: [1, 2] }]);
  });

  it('groups and sorts', async () => {
    expect(await rowsOf('SELECT id, COUNT(*) AS n FROM input2 GROUP BY id ORDER BY id')).toEqual([{ id: 2, n: 2 }]);
  });

  it('returns the rows of all statements', async () => {
    expect(await rowsOf('SELECT a FROM input1 WHERE id = 1; SELECT b FROM input2')).toEqual([
      { a: 'x' },
      { b: 'p' },
      { b: 'q' },
    ]);
  });

  it('links a row to the items that it was made from', async () => {
    const { items } = await run('SELECT * FROM input1 JOIN input2 ON input1.id = input2.id');
    expect(items[0]?.map(({ pairedItem }) => pairedItem)).toEqual([[{ item: 0, input: 1 }], [{ item: 1, input: 1 }]]);
  });

  it.each([
    ["SELECT * FROM CSV('/etc/passwd')"],
    ["SELECT * FROM JSON('http://127.0.0.1/x')"],
    ["SELECT * INTO CSV('x.csv') FROM input1"],
  ])('refuses to read and write files and addresses: %s', async (query) => {
    expect((await run(query)).error).toMatchObject({
      message: 'The SQL query failed',
      description: 'A query cannot read or write files and addresses.',
    });
  });

  it('leaves nothing for the next query, not even of the same owner', async () => {
    await run('CREATE TABLE kept (a INT); INSERT INTO kept VALUES (1); CREATE DATABASE other; SELECT 1 AS x');
    expect((await run('SELECT * FROM kept')).error).toMatchObject({ message: 'The SQL query failed' });
    expect((await run('SELECT * FROM other.kept')).error).toMatchObject({ message: 'The SQL query failed' });
  });

  it('ends a query that does not end, at the time limit of code', async () => {
    const { error } = await run('SELECT a.n FROM RANGE(1,100000) a JOIN RANGE(1,100000) b ON a.n < b.n');
    expect(error?.message).toMatch(/^The query exceeded its (?:time|memory) limit$/);
  });

  it('refuses query parameters that are no values', async () => {
    const { error } = await run('SELECT a FROM input1 WHERE id = ?', { options: { queryParameters: [{ a: 1 }] } });
    expect(error?.message).toBe('Query parameter 1 must be a text, a number, a boolean or null');
  });

  it('gives one item if the query returns no rows and the option says so', async () => {
    const options = { emptyQueryResult: 'success' };
    expect(await rowsOf('SELECT a FROM input1 WHERE id = 9', { options })).toEqual([{ success: true }]);
  });
});

describe('the query with links', () => {
  it.each([
    ['SELECT a FROM input1', 'SELECT a, input1.pairedItem AS pairedItem1 FROM input1'],
    [
      'select a from input1, input2',
      'select a, input1.pairedItem AS pairedItem1, input2.pairedItem AS pairedItem2 from input1, input2',
    ],
    ['SELECT * FROM input1', 'SELECT * FROM input1'],
    ['SELECT 1', 'SELECT 1'],
    ['SELECT a,\n b FROM input1', 'SELECT a,\n b FROM input1'],
  ])('%s', (query, linked) => {
    expect(withLinks(query, 2)).toBe(linked);
  });

  it('takes time in proportion to its length', () => {
    const query = `SELECT ${' '.repeat(500_000)}`;
    const before = process.cpuUsage();
    withLinks(query, 2);
    expect(process.cpuUsage(before).user).toBeLessThan(200_000);
  });
});
