import type { KindCases, NodeCase } from '../testing/cases/node-case';

const ALL = [2, 2.1, 2.2, 2.3, 2.4, 2.5, 2.6, 2.7];
/** The first and last version: those in between do not differ here. */
const ENDS = [2, 2.7];
const MAPPED = [2.2, 2.3, 2.4, 2.5, 2.6, 2.7];
const LISTED = [2, 2.1];
const table = { schema: { mode: 'list', value: 'public' }, table: { mode: 'name', value: 'people' } };
const asText = { schema: 'public', table: 'people' };
const people = (...rows: string[]): NonNullable<NodeCase['given']> => [
  ['DROP TABLE IF EXISTS people'],
  ['CREATE TABLE people (id int PRIMARY KEY, name text NOT NULL, tags text[], extra jsonb)'],
  ...(rows.length === 0 ? [] : [[`INSERT INTO people (id, name) VALUES ${rows.join(', ')}`]]),
];
const LEFT = ['SELECT id, name FROM people ORDER BY id'];
const HOSTILE = `x"; DROP TABLE people; --'`;

const queries: NodeCase[] = [
  {
    it: 'runs a query for each item with bound parameters',
    versions: ALL,
    given: people(`(1, 'Ada')`, `(2, 'Bob')`),
    run: {
      items: [{ id: 1 }, { id: 2 }],
      parameters: {
        operation: 'executeQuery',
        query: 'SELECT name, $1::text AS given FROM people WHERE id = $1',
        options: { queryReplacement: '={{ $json.id }}' },
      },
    },
    gives: [
      [
        { name: 'Ada', given: '1' },
        { name: 'Bob', given: '2' },
      ],
    ],
    pairs: [[{ item: 0 }, { item: 1 }]],
  },
  {
    it: 'never makes a parameter part of the query, whatever its content',
    versions: ALL,
    given: people(`(1, 'Ada')`),
    run: {
      items: [{ value: HOSTILE }],
      parameters: {
        operation: 'executeQuery',
        query: `INSERT INTO people (id, name) VALUES (2, $1) RETURNING name; -- $9 '$8'\nSELECT '$1' AS quoted`,
        options: { queryReplacement: '={{ [$json.value] }}' },
      },
    },
    gives: [[{ name: HOSTILE }, { quoted: '$1' }]],
    leaves: {
      ask: LEFT,
      answer: [
        { id: 1, name: 'Ada' },
        { id: 2, name: HOSTILE },
      ],
    },
  },
  {
    it: 'resolves expressions in the query, and names and arrays in parameters',
    versions: ENDS,
    given: people(`(1, 'Ada')`, `(2, 'Bob')`, `(3, 'Cy')`),
    run: {
      items: [{ column: 'name', table: 'people' }],
      parameters: {
        operation: 'executeQuery',
        query: 'SELECT $1:name FROM {{ $json.table }} WHERE id IN ($2:csv) ORDER BY id',
        options: { queryReplacement: '={{ [$json.column, [1, 3]] }}' },
      },
    },
    gives: [[{ name: 'Ada' }, { name: 'Cy' }]],
  },
  {
    it: 'rejects a parameter that would become part of the query',
    versions: ENDS,
    run: {
      parameters: { operation: 'executeQuery', query: 'SELECT $1:raw', options: { queryReplacement: '={{ ["1"] }}' } },
    },
    fails: '$1:raw would make the value a part of the query',
  },
  {
    it: 'outputs nothing for a query without rows, and confirms anything else',
    versions: [2.3, 2.7],
    given: people(),
    run: {
      items: [{ sql: 'SELECT * FROM people' }, { sql: `INSERT INTO people (id, name) VALUES (1, 'Ada')` }],
      parameters: { operation: 'executeQuery', query: '={{ $json.sql }}', options: { queryBatching: 'independently' } },
    },
    gives: [[{ success: true }]],
    pairs: [[{ item: 1 }]],
  },
  {
    it: 'confirms a query without rows',
    versions: [2, 2.1, 2.2],
    given: people(),
    run: { items: [{}], parameters: { operation: 'executeQuery', query: 'SELECT * FROM people' } },
    gives: [[{ success: true }]],
  },
  {
    it: 'outputs large numbers as strings, dates as ISO strings, JSON and arrays unchanged',
    versions: ENDS,
    run: {
      items: [{}],
      parameters: {
        operation: 'executeQuery',
        query:
          `SELECT 9007199254740993::bigint AS big, 1.50::numeric AS price, '{"a":[1]}'::jsonb AS json, ` +
          `'{1,2}'::int[] AS list, timestamptz '2026-01-02 03:04:05+02' AS at, null AS nothing, true AS yes, ` +
          `'x' AS "__proto__"`,
      },
    },
    gives: [
      [
        Object.fromEntries([
          ...Object.entries({
            ...{ big: '9007199254740993', price: '1.50', json: { a: [1] }, list: [1, 2] },
            ...{ at: '2026-01-02T01:04:05.000Z', nothing: null, yes: true },
          }),
          ['__proto__', 'x'],
        ]),
      ],
    ],
  },
  {
    it: 'outputs large numbers as numbers if configured',
    versions: ENDS,
    run: {
      items: [{}],
      parameters: {
        operation: 'executeQuery',
        query: 'SELECT 12::bigint AS big, 1.50::numeric AS price',
        options: { largeNumbersOutput: 'numbers' },
      },
    },
    gives: [[{ big: 12, price: 1.5 }]],
  },
  {
    it: 'outputs dates as strings',
    versions: [2.7],
    run: { items: [{}], parameters: { operation: 'executeQuery', query: `SELECT date '2026-01-02' AS day` } },
    gives: [[{ day: '2026-01-02' }]],
  },
  {
    it: 'outputs dates as midnight UTC',
    versions: [2, 2.6],
    run: { items: [{}], parameters: { operation: 'executeQuery', query: `SELECT date '2026-01-02' AS day` } },
    gives: [[{ day: '2026-01-02T00:00:00.000Z' }]],
  },
];

const batches: NodeCase[] = [
  {
    it: 'rolls back all queries of a single batch if one fails',
    versions: ENDS,
    given: people(`(1, 'Ada')`),
    run: {
      items: [{ id: 2 }, { id: 1 }],
      parameters: {
        operation: 'executeQuery',
        query: `INSERT INTO people (id, name) VALUES ($1, 'New')`,
        options: { queryReplacement: '={{ $json.id }}' },
      },
    },
    fails: 'duplicate key value violates unique constraint',
    leaves: { ask: LEFT, answer: [{ id: 1, name: 'Ada' }] },
  },
  {
    it: 'keeps the others if one of independent queries fails',
    versions: ENDS,
    given: people(`(1, 'Ada')`),
    run: {
      items: [{ id: 1 }, { id: 2 }],
      node: { onError: 'continueRegularOutput' },
      parameters: {
        operation: 'executeQuery',
        query: `INSERT INTO people (id, name) VALUES ($1, 'New') RETURNING id`,
        options: { queryReplacement: '={{ $json.id }}', queryBatching: 'independently' },
      },
    },
    gives: [
      [
        {
          error: {
            message: 'duplicate key value violates unique constraint "people_pkey"',
            description: 'Key (id)=(1) already exists.',
            code: '23505',
          },
        },
        { id: 2 },
      ],
    ],
    pairs: [[{ item: 0 }, { item: 1 }]],
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
        operation: 'executeQuery',
        query: `INSERT INTO people (id, name) VALUES ($1, 'New')`,
        options: { queryReplacement: '={{ $json.id }}', queryBatching: 'transaction' },
      },
    },
    fails: 'duplicate key',
    leaves: { ask: LEFT, answer: [{ id: 1, name: 'Ada' }] },
  },
];

const rows: NodeCase[] = [
  {
    it: 'inserts the fields of the items',
    versions: MAPPED,
    given: people(),
    run: {
      items: [
        { id: 1, name: HOSTILE, extra: { a: [1] } },
        { id: 2, name: 'Bob', extra: null },
      ],
      parameters: { operation: 'insert', ...table, columns: { mappingMode: 'autoMapInputData', value: null } },
    },
    gives: [
      [
        { id: 1, name: HOSTILE, tags: null, extra: { a: [1] } },
        { id: 2, name: 'Bob', tags: null, extra: null },
      ],
    ],
    pairs: [[{ item: 0 }, { item: 1 }]],
  },
  {
    it: 'inserts mapped columns, and outputs the given columns',
    versions: MAPPED,
    given: people(),
    run: {
      items: [{ n: 'Ada' }],
      parameters: {
        operation: 'insert',
        ...table,
        columns: { mappingMode: 'defineBelow', value: { id: 1, name: '={{ $json.n }}' } },
        options: { outputColumns: ['name'] },
      },
    },
    gives: [[{ name: 'Ada' }]],
  },
  {
    it: 'writes arrays to array columns',
    versions: [2.4, 2.7],
    given: people(),
    run: {
      items: [{ id: 1, name: 'Ada', tags: ['a "b" \\ c', 'd,e', null] }],
      parameters: { operation: 'insert', ...table, columns: { mappingMode: 'autoMapInputData', value: null } },
    },
    gives: [[{ id: 1, name: 'Ada', tags: ['a "b" \\ c', 'd,e', null], extra: null }]],
  },
  {
    it: 'inserts listed columns, and skips conflicts if configured',
    versions: LISTED,
    given: people(`(1, 'Ada')`),
    run: {
      items: [{ id: 1 }, { id: 2 }],
      parameters: {
        operation: 'insert',
        ...asText,
        dataMode: 'defineBelow',
        valuesToSend: {
          values: [
            { column: 'id', value: '={{ $json.id }}' },
            { column: 'name', value: 'New' },
          ],
        },
        options: { skipOnConflict: true },
      },
    },
    gives: [[{ id: 2, name: 'New', tags: null, extra: null }]],
    pairs: [[{ item: 1 }]],
  },
  {
    it: 'rejects a missing column, and one that would break out of the statement',
    versions: MAPPED,
    given: people(),
    run: {
      items: [{ id: 1, ['name") VALUES (1); DROP TABLE people; --']: 'x' }],
      parameters: { operation: 'insert', ...table, columns: { mappingMode: 'autoMapInputData', value: null } },
    },
    fails: `Column 'name") VALUES (1); DROP TABLE people; --' does not exist in selected table`,
    leaves: { ask: LEFT, answer: [] },
  },
  {
    it: 'replaces empty strings by null if configured',
    versions: MAPPED,
    given: people(),
    run: {
      items: [{ id: 1, name: 'Ada', extra: '' }],
      parameters: {
        operation: 'insert',
        ...table,
        columns: { mappingMode: 'autoMapInputData', value: null },
        options: { replaceEmptyStrings: true },
      },
    },
    gives: [[{ id: 1, name: 'Ada', tags: null, extra: null }]],
  },
  {
    it: 'updates the rows that match',
    versions: MAPPED,
    given: people(`(1, 'Ada')`, `(2, 'Bob')`),
    run: {
      items: [{ id: 2, name: 'Bo' }],
      parameters: {
        operation: 'update',
        ...table,
        columns: { mappingMode: 'autoMapInputData', value: null, matchingColumns: ['id'] },
      },
    },
    gives: [[{ id: 2, name: 'Bo', tags: null, extra: null }]],
    leaves: {
      ask: LEFT,
      answer: [
        { id: 1, name: 'Ada' },
        { id: 2, name: 'Bo' },
      ],
    },
  },
  {
    it: 'fails to update a row that does not exist',
    versions: MAPPED,
    given: people(),
    run: {
      items: [{ id: 2, name: 'Bo' }],
      parameters: {
        operation: 'update',
        ...table,
        columns: { mappingMode: 'autoMapInputData', value: null, matchingColumns: ['id'] },
      },
    },
    fails: "The row you are trying to update doesn't exist",
  },
  {
    it: 'updates by the column to match on',
    versions: LISTED,
    given: people(`(1, 'Ada')`),
    run: {
      items: [{}],
      parameters: {
        operation: 'update',
        ...asText,
        dataMode: 'defineBelow',
        columnToMatchOn: 'id',
        valueToMatchOn: '1',
        valuesToSend: { values: [{ column: 'name', value: 'Eve' }] },
      },
    },
    gives: [[{ id: 1, name: 'Eve', tags: null, extra: null }]],
  },
  {
    it: 'inserts or updates',
    versions: MAPPED,
    given: people(`(1, 'Ada')`),
    run: {
      items: [
        { id: 1, name: 'Eve' },
        { id: 2, name: 'Bob' },
      ],
      parameters: {
        operation: 'upsert',
        ...table,
        columns: { mappingMode: 'autoMapInputData', value: null, matchingColumns: ['id'] },
        options: { outputColumns: ['id', 'name'] },
      },
    },
    gives: [
      [
        { id: 1, name: 'Eve' },
        { id: 2, name: 'Bob' },
      ],
    ],
  },
  {
    it: 'inserts or updates by the column to match on',
    versions: LISTED,
    given: people(`(1, 'Ada')`),
    run: {
      items: [{ id: 1, name: 'Eve' }],
      parameters: { operation: 'upsert', ...asText, dataMode: 'autoMapInputData', columnToMatchOn: 'id' },
    },
    gives: [[{ id: 1, name: 'Eve', tags: null, extra: null }]],
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
            { column: 'tags', condition: 'IS NULL' },
          ],
        },
        sort: { values: [{ column: 'id', direction: 'DESC' }] },
        options: { outputColumns: ['id'] },
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
            { column: 'name', value: `' OR 1=1; DROP TABLE people; --` },
            { column: 'id" = 1 OR "id', condition: 'equal', value: '1' },
          ],
        },
      },
    },
    fails: 'column "id" = 1 OR "id" does not exist',
    leaves: { ask: LEFT, answer: [{ id: 1, name: 'Ada' }] },
  },
  {
    it: 'outputs nothing if no row is selected',
    versions: ENDS,
    given: people(),
    run: { items: [{}], parameters: { operation: 'select', ...asText, returnAll: true } },
    gives: [[]],
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
        where: { values: [{ column: 'id', condition: 'equal', value: 1 }] },
      },
    },
    gives: [[{ success: true }]],
    leaves: { ask: LEFT, answer: [{ id: 2, name: 'Bob' }] },
  },
  {
    it: 'empties a table',
    versions: ALL,
    given: people(`(1, 'Ada')`),
    run: {
      items: [{}],
      parameters: { operation: 'deleteTable', ...asText, restartSequences: true, options: { cascade: true } },
    },
    gives: [[{ success: true }]],
    leaves: { ask: LEFT, answer: [] },
  },
  {
    it: 'drops a table',
    versions: ALL,
    given: people(),
    run: { items: [{}], parameters: { operation: 'deleteTable', ...asText, deleteCommand: 'drop' } },
    gives: [[{ success: true }]],
    leaves: { ask: [`SELECT to_regclass('people') AS found`], answer: [{ found: null }] },
  },
  {
    it: 'reports a table that does not exist, whatever its name',
    versions: ALL,
    run: {
      items: [{}],
      parameters: { operation: 'select', schema: 'public', table: 'x"; DROP TABLE people; --', returnAll: true },
    },
    fails: 'relation "public.x"; DROP TABLE people; --" does not exist',
  },
];

const first: NodeCase[] = [
  {
    it: 'inserts fields of the items, cast to types',
    versions: [1],
    given: people(),
    run: {
      items: [
        { id: '1', name: HOSTILE },
        { id: '2', name: 'Bob', other: 1 },
      ],
      parameters: { operation: 'insert', table: 'people', columns: 'id:int,name', returnFields: 'id,name' },
    },
    gives: [
      [
        { id: 1, name: HOSTILE },
        { id: 2, name: 'Bob' },
      ],
    ],
    pairs: [[{ item: 0 }, { item: 1 }]],
  },
  {
    it: 'updates by keys',
    versions: [1],
    given: people(`(1, 'Ada')`),
    run: {
      items: [{ id: '1', name: 'Eve' }],
      parameters: { operation: 'update', table: 'people', updateKey: 'id:int', columns: 'name' },
    },
    gives: [[{ id: 1, name: 'Eve', tags: null, extra: null }]],
  },
  {
    it: 'runs queries with fields of the items as parameters, and outputs errors with the fields of their items',
    versions: [1],
    given: people(`(1, 'Ada')`),
    run: {
      items: [{ id: 1 }, { id: 'x' }],
      node: { onError: 'continueRegularOutput' },
      parameters: {
        operation: 'executeQuery',
        query: 'SELECT name FROM people WHERE id = $1',
        additionalFields: { mode: 'independently', queryParams: 'id' },
      },
    },
    gives: [[{ name: 'Ada' }, { id: 'x', code: '22P02', message: 'invalid input syntax for type integer: "x"' }]],
    pairs: [[{ item: 0 }, { item: 1 }]],
  },
  {
    it: 'never makes a parameter part of the query, whatever its content',
    versions: [1],
    given: people(`(1, 'Ada')`),
    run: {
      items: [{ value: HOSTILE }],
      parameters: {
        operation: 'executeQuery',
        query: 'INSERT INTO people (id, name) VALUES (2, $1) RETURNING name',
        additionalFields: { queryParams: 'value' },
      },
    },
    gives: [[{ name: HOSTILE }]],
    leaves: {
      ask: LEFT,
      answer: [
        { id: 1, name: 'Ada' },
        { id: 2, name: HOSTILE },
      ],
    },
  },
  {
    it: 'reports a table that does not exist, whatever its name',
    versions: [1],
    given: people(),
    run: {
      items: [{ id: '1' }],
      parameters: { operation: 'insert', table: 'x"; DROP TABLE people; --', columns: 'id:int' },
    },
    fails: 'relation "public.x"; DROP TABLE people; --" does not exist',
    leaves: { ask: LEFT, answer: [] },
  },
  {
    it: 'rejects an invalid type',
    versions: [1],
    given: people(),
    run: {
      items: [{ id: '1' }],
      parameters: { operation: 'insert', table: 'people', columns: 'id:int); DROP TABLE people; --' },
    },
    fails: 'is not a type',
    leaves: { ask: LEFT, answer: [] },
  },
];

export const postgresCases: KindCases = {
  kind: 'postgres',
  database: 'postgres',
  cases: [...queries, ...batches, ...rows, ...first],
};
