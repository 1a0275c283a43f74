import type { KindCases, NodeCase } from '../testing/cases/node-case';

const ALL = [2, 2.1, 2.2, 2.3, 2.4, 2.5];
/** The first and last version: those in between do not differ here. */
const ENDS = [2, 2.5];
const people = (...rows: string[]): NonNullable<NodeCase['given']> => [
  ['DROP TABLE IF EXISTS people'],
  ['CREATE TABLE people (id int PRIMARY KEY, name varchar(200) NOT NULL, extra text)'],
  ...(rows.length === 0 ? [] : [[`INSERT INTO people (id, name) VALUES ${rows.join(', ')}`]]),
];
const LEFT = ['SELECT id, name FROM people ORDER BY id'];
const HOSTILE = "x`'; DROP TABLE people; -- \\";
const table = { table: { mode: 'list', value: 'people' } };
const query = (sql: string, options: Record<string, string> = {}) => ({
  operation: 'executeQuery',
  query: sql,
  options,
});

const queries: NodeCase[] = [
  {
    it: 'runs a query for each item with bound parameters',
    versions: ALL,
    given: people(`(1, 'Ada')`, `(2, 'Bob')`),
    run: {
      items: [{ id: 1 }, { id: 2 }],
      parameters: query('SELECT $1:name FROM people WHERE id = $2', { queryReplacement: '={{ ["name", $json.id] }}' }),
    },
    gives: [[{ name: 'Ada' }, { name: 'Bob' }]],
    pairs: [[{ item: 0 }, { item: 1 }]],
  },
  ...[
    { versions: ALL, answers: [] },
    // The first version also outputs the server's response to the insertion.
    { versions: [1], answers: [expect.objectContaining({ affectedRows: 1 })] },
  ].map(({ versions, answers }): NodeCase => ({
    it: 'never makes a parameter part of the query, whatever its content',
    versions,
    given: people(`(1, 'Ada')`),
    run: {
      items: [{ value: HOSTILE }],
      parameters: query(`INSERT INTO people (id, name) VALUES (2, $1); # $9\nSELECT '\\'$1' AS quoted, $1 AS given`, {
        queryReplacement: '={{ [$json.value] }}',
      }),
    },
    gives: [[...answers, { quoted: "'$1", given: HOSTILE }]],
    leaves: {
      ask: LEFT,
      answer: [
        { id: 1, name: 'Ada' },
        { id: 2, name: HOSTILE },
      ],
    },
  })),
  {
    it: 'reads parameters from a string, even for a limit, and resolves expressions in the query',
    versions: [2.3, 2.5],
    given: people(`(1, 'Ada')`, `(2, 'Bob')`, `(3, 'Cy')`),
    run: {
      items: [{ table: 'people' }],
      parameters: query('SELECT id FROM {{ $json.table }} WHERE id > $1 ORDER BY id LIMIT 1', {
        queryReplacement: '1, unused',
      }),
    },
    gives: [[{ id: 2 }]],
  },
  {
    it: 'outputs nothing for a query without rows, and confirms anything else',
    versions: [2.2, 2.5],
    given: people(),
    run: {
      items: [{ sql: 'SELECT * FROM people' }, { sql: `INSERT INTO people (id, name) VALUES (1, 'Ada')` }],
      parameters: { ...query('={{ $json.sql }}'), options: { queryBatching: 'independently' } },
    },
    gives: [[{ success: true }]],
    pairs: [[{ item: 1 }]],
  },
  {
    it: 'confirms a query without rows',
    versions: [2, 2.1],
    given: people(),
    run: { items: [{}], parameters: query('SELECT * FROM people') },
    gives: [[{ success: true }]],
  },
  {
    it: 'outputs dates as the server writes them, decimals and numbers that are too large as strings',
    versions: [2.1, 2.5],
    run: {
      items: [{}],
      parameters: query(
        `SELECT CAST('2026-01-02 03:04:05' AS datetime) AS at, CAST(1.50 AS decimal(5,2)) AS price, ` +
          '9007199254740993 AS big, 12 AS small, NULL AS nothing, 1 AS `__proto__`',
      ),
    },
    gives: [
      [
        Object.fromEntries([
          ...Object.entries({
            at: '2026-01-02 03:04:05',
            price: '1.50',
            big: '9007199254740993',
            small: 12,
            nothing: null,
          }),
          ['__proto__', 1],
        ]),
      ],
    ],
  },
  {
    it: 'outputs dates as points in time',
    versions: [2],
    run: { items: [{}], parameters: query(`SELECT CAST('2026-01-02 03:04:05' AS datetime) AS at`) },
    gives: [[{ at: '2026-01-02T03:04:05.000Z' }]],
  },
  {
    it: 'outputs every large number as a string, or decimals as numbers, if configured',
    versions: ENDS,
    given: people(`(1, 'Ada')`),
    run: {
      items: [{}],
      parameters: {
        ...query('SELECT COUNT(*) AS big, 1.5 AS price FROM people'),
        options: { largeNumbersOutput: 'text', decimalNumbers: true },
      },
    },
    gives: [[{ big: '1', price: 1.5 }]],
  },
  {
    it: "outputs each statement with the server's response if configured",
    versions: ENDS,
    given: people(),
    run: {
      items: [{}],
      parameters: {
        ...query(`DELETE FROM people WHERE id = 5; SELECT 1 AS one`),
        options: { detailedOutput: true, queryBatching: 'independently' },
      },
    },
    gives: [
      [
        { sql: 'DELETE FROM people WHERE id = 5', data: expect.objectContaining({ affectedRows: 0 }) },
        { sql: 'SELECT 1 AS one', data: [{ one: 1 }] },
      ],
    ],
  },
  {
    it: 'keeps the others if one of independent queries fails',
    versions: ENDS,
    given: people(`(1, 'Ada')`),
    run: {
      items: [{ id: 1 }, { id: 2 }],
      node: { onError: 'continueRegularOutput' },
      parameters: {
        ...query(`INSERT INTO people (id, name) VALUES ($1, 'New')`),
        options: { queryBatching: 'independently', queryReplacement: '={{ [$json.id] }}' },
      },
    },
    gives: [
      [
        {
          message: "Duplicate entry '1' for key 'PRIMARY'",
          error: { message: "Duplicate entry '1' for key 'PRIMARY'", code: 'ER_DUP_ENTRY' },
        },
        { success: true },
      ],
    ],
    leaves: {
      ask: LEFT,
      answer: [
        { id: 1, name: 'Ada' },
        { id: 2, name: 'New' },
      ],
    },
  },
  {
    it: 'rolls back a transaction that fails',
    versions: ENDS,
    given: people(`(1, 'Ada')`),
    run: {
      items: [{ id: 2 }, { id: 1 }],
      parameters: {
        ...query(`INSERT INTO people (id, name) VALUES ($1, 'New')`),
        options: { queryBatching: 'transaction', queryReplacement: '={{ [$json.id] }}' },
      },
    },
    fails: 'Duplicate entry',
    leaves: { ask: LEFT, answer: [{ id: 1, name: 'Ada' }] },
  },
];

const rows: NodeCase[] = [
  {
    it: 'inserts the fields of all items at once, each with the columns of all',
    versions: ALL,
    given: people(),
    run: {
      items: [
        { id: 1, name: HOSTILE },
        { id: 2, name: 'Bob', extra: { a: 1 } },
      ],
      parameters: { operation: 'insert', ...table },
    },
    gives: [[{ success: true }]],
    leaves: {
      ask: ['SELECT * FROM people ORDER BY id'],
      answer: [
        { id: 1, name: HOSTILE, extra: null },
        { id: 2, name: 'Bob', extra: '{"a":1}' },
      ],
    },
  },
  {
    it: 'inserts listed columns item by item, and skips conflicts if configured',
    versions: ENDS,
    given: people(`(1, 'Ada')`),
    run: {
      items: [{ id: 1 }, { id: 2 }],
      parameters: {
        operation: 'insert',
        table: 'weft.people',
        dataMode: 'defineBelow',
        valuesToSend: {
          values: [
            { column: 'id', value: '={{ $json.id }}' },
            { column: 'name', value: 'New' },
          ],
        },
        options: { queryBatching: 'independently', skipOnConflict: true, priority: 'LOW_PRIORITY' },
      },
    },
    gives: [[{ success: true }, { success: true }]],
    leaves: {
      ask: LEFT,
      answer: [
        { id: 1, name: 'Ada' },
        { id: 2, name: 'New' },
      ],
    },
  },
  {
    it: 'quotes column names, so that none breaks out of the statement',
    versions: ALL,
    given: people(`(1, 'Ada')`),
    run: {
      items: [{ ['name`) VALUES (1); DROP TABLE people; -- ']: 'x' }],
      parameters: { operation: 'insert', ...table },
    },
    fails: "Unknown column 'name`) VALUES (1); DROP TABLE people; -",
    leaves: { ask: LEFT, answer: [{ id: 1, name: 'Ada' }] },
  },
  {
    it: 'updates the rows that match',
    versions: ALL,
    given: people(`(1, 'Ada')`, `(2, 'Bob')`),
    run: { items: [{ id: 2, name: 'Bo' }], parameters: { operation: 'update', ...table, columnToMatchOn: 'id' } },
    gives: [[{ success: true }]],
    leaves: {
      ask: LEFT,
      answer: [
        { id: 1, name: 'Ada' },
        { id: 2, name: 'Bo' },
      ],
    },
  },
  {
    it: 'inserts or updates',
    versions: ALL,
    given: people(`(1, 'Ada')`),
    run: {
      items: [{ id: 1 }, { id: 2 }],
      parameters: {
        operation: 'upsert',
        ...table,
        dataMode: 'defineBelow',
        columnToMatchOn: 'id',
        valueToMatchOn: '={{ $json.id }}',
        valuesToSend: { values: [{ column: 'name', value: 'New' }] },
      },
    },
    gives: [[{ success: true }]],
    leaves: {
      ask: LEFT,
      answer: [
        { id: 1, name: 'New' },
        { id: 2, name: 'New' },
      ],
    },
  },
  {
    it: 'selects rows by conditions, in an order, up to a limit',
    versions: ALL,
    given: people(`(1, 'Ada')`, `(2, 'Bob')`, `(3, 'Abe')`, `(10, 'Al')`),
    run: {
      items: [{}],
      parameters: {
        operation: 'select',
        ...table,
        limit: 2,
        where: {
          values: [
            { column: 'name', condition: 'LIKE', value: 'A%' },
            { column: 'id', condition: '<', value: '10' },
            { column: 'extra', condition: 'IS NULL' },
          ],
        },
        sort: { values: [{ column: 'id', direction: 'DESC' }] },
        options: { outputColumns: ['id'], selectDistinct: true },
      },
    },
    gives: [[{ id: 3 }, { id: 1 }]],
  },
  {
    it: 'binds the values of conditions, and quotes their columns',
    versions: ENDS,
    given: people(`(1, 'Ada')`),
    run: {
      items: [{}],
      parameters: {
        operation: 'select',
        ...table,
        returnAll: true,
        combineConditions: 'OR',
        where: {
          values: [
            { column: 'name', value: "\\' OR 1=1 -- " },
            { column: 'id` = 1 OR `id', value: '1' },
          ],
        },
      },
    },
    fails: "Unknown column 'id. = 1 OR .id'",
    leaves: { ask: LEFT, answer: [{ id: 1, name: 'Ada' }] },
  },
  {
    it: 'requires numbers in comparisons by size',
    versions: ENDS,
    run: {
      items: [{}],
      parameters: {
        operation: 'select',
        ...table,
        where: { values: [{ column: 'id', condition: '>', value: 'x' }] },
      },
    },
    fails: 'Condition 1 of "where" compares numbers',
  },
  {
    it: 'deletes the rows that meet the conditions',
    versions: ALL,
    given: people(`(1, 'Ada')`, `(2, 'Bob')`),
    run: {
      items: [{}],
      parameters: {
        operation: 'deleteTable',
        ...table,
        deleteCommand: 'delete',
        where: { values: [{ column: 'id', value: 1 }] },
      },
    },
    gives: [[{ success: true }]],
    leaves: { ask: LEFT, answer: [{ id: 2, name: 'Bob' }] },
  },
  {
    it: 'empties a table',
    versions: ALL,
    given: people(`(1, 'Ada')`),
    run: { items: [{}], parameters: { operation: 'deleteTable', ...table, deleteCommand: 'truncate' } },
    gives: [[{ success: true }]],
    leaves: { ask: LEFT, answer: [] },
  },
  {
    it: 'drops a table',
    versions: ALL,
    given: people(`(1, 'Ada')`),
    run: { items: [{}], parameters: { operation: 'deleteTable', ...table, deleteCommand: 'drop' } },
    gives: [[{ success: true }]],
    leaves: { ask: [`SHOW TABLES LIKE 'people'`], answer: [] },
  },
  {
    it: 'reports a table that does not exist',
    versions: ALL,
    run: { items: [{}], parameters: { operation: 'select', table: 'no_such_table', returnAll: true } },
    fails: "Table 'weft.no_such_table' doesn't exist",
  },
];

const first: NodeCase[] = [
  {
    it: 'runs queries',
    versions: [1],
    given: people(`(1, 'Ada')`),
    run: {
      items: [{ id: 1 }],
      parameters: query('SELECT name FROM people WHERE id = $1', { queryReplacement: '={{ $json.id }}' }),
    },
    gives: [[{ name: 'Ada' }]],
    pairs: [[{ item: 0 }]],
  },
  {
    it: "inserts fields, and outputs the server's response",
    versions: [1],
    given: people(`(1, 'Ada')`),
    run: {
      items: [
        { id: 1, name: 'x', other: 1 },
        { id: 2, name: HOSTILE },
      ],
      parameters: { operation: 'insert', table: 'people', columns: 'id,name', options: { ignore: true } },
    },
    gives: [[expect.objectContaining({ affectedRows: 1 })]],
    leaves: {
      ask: LEFT,
      answer: [
        { id: 1, name: 'Ada' },
        { id: 2, name: HOSTILE },
      ],
    },
  },
  {
    it: 'quotes column names, so that none breaks out of the statement',
    versions: [1],
    given: people(),
    run: {
      items: [{ id: 1 }],
      parameters: { operation: 'insert', table: 'people', columns: 'id,name`) VALUES (1); DROP TABLE people; --' },
    },
    fails: 'Unknown column',
    leaves: { ask: LEFT, answer: [] },
  },
  {
    it: 'updates by a key',
    versions: [1],
    given: people(`(1, 'Ada')`),
    run: { items: [{ id: 1, name: 'Eve' }], parameters: { operation: 'update', table: 'people', columns: 'name' } },
    gives: [[expect.objectContaining({ affectedRows: 1 })]],
    leaves: { ask: LEFT, answer: [{ id: 1, name: 'Eve' }] },
  },
];

const failing: NodeCase[] = [
  {
    it: 'reports a table that does not exist',
    versions: [1],
    run: { items: [{}], parameters: query('SELECT * FROM no_such_table') },
    fails: "Table 'weft.no_such_table' doesn't exist",
  },
];

export const mySqlCases: KindCases = {
  kind: 'mySql',
  database: 'mySql',
  cases: [...queries, ...rows, ...first, ...failing],
};
