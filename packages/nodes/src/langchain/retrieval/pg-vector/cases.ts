import type { JsonObject } from '@weft/node-catalogue';
import type { KindCases, NodeCase } from '../../../testing/cases/node-case';
import type { KindRun } from '../../../testing/cases/run-kind';
import { AS_TOOL, FIRST_METADATA, SEARCH, STORE_VERSIONS } from '../testing/store-case';

const versions = STORE_VERSIONS;
const TABLE = 'weft_docs';

const run = (mode: string, parameters: JsonObject = {}, over: Partial<KindRun> = {}): Omit<KindRun, 'version'> => ({
  items: [{ text: 'a' }],
  embeds: true,
  parameters: { mode, tableName: TABLE, ...parameters },
  ...over,
});
const vector = (letter: number): string =>
  `'[${Array.from({ length: 26 }, (_, at) => (at === letter ? 1 : 0)).join(',')}]'`;
const NONE: NonNullable<NodeCase['given']> = [[`DROP TABLE IF EXISTS ${TABLE}`], ['DROP TABLE IF EXISTS weft_groups']];
/** The table as n8n creates it. */
const ANY_LENGTH: readonly string[] = [
  `CREATE EXTENSION IF NOT EXISTS vector; CREATE TABLE ${TABLE} `,
  '(id uuid NOT NULL DEFAULT gen_random_uuid() PRIMARY KEY, text text, metadata jsonb, embedding vector)',
];
/** The same with two rows. */
const TWO: NonNullable<NodeCase['given']> = [
  ...NONE,
  ANY_LENGTH,
  [
    `INSERT INTO ${TABLE} (id, text, metadata, embedding) VALUES `,
    `('00000000-0000-4000-8000-00000000000a', 'aa', '{"page": 1}', ${vector(0)}), `,
    `('00000000-0000-4000-8000-00000000000b', 'bb', '{"page": 2}', ${vector(1)})`,
  ],
];
const STORED = [`SELECT text, metadata->>'source' AS source, vector_dims(embedding) AS length FROM ${TABLE}`];
const HOSTILE = `x"; DROP TABLE ${TABLE}; --'`;

export const vectorStorePGVectorCases: KindCases = {
  kind: 'langchain.vectorStorePGVector',
  database: 'postgres',
  cases: [
    {
      it: 'creates its table, and stores the documents of its items',
      versions,
      given: NONE,
      run: run('insert'),
      gives: [[{ pageContent: 'a', metadata: FIRST_METADATA }]],
      pairs: [[{ item: 0 }]],
      leaves: { ask: STORED, answer: [{ text: 'a', source: 'blob', length: 26 }] },
    },
    {
      it: 'finds the closest rows of a table that n8n has made, with their distance',
      versions,
      given: TWO,
      run: run('load', SEARCH),
      gives: [
        [
          { document: { pageContent: 'aa', metadata: { page: 1 } }, score: 0 },
          { document: { pageContent: 'bb', metadata: { page: 2 } }, score: 1 },
        ],
      ],
      pairs: [[{ item: 0 }, { item: 0 }]],
    },
    {
      it: 'finds rows by their metadata, with another distance',
      versions,
      given: TWO,
      run: run('load', {
        ...SEARCH,
        options: { distanceStrategy: 'innerProduct', metadata: { metadataValues: [{ name: 'page', value: '2' }] } },
      }),
      gives: [[{ document: { pageContent: 'bb', metadata: { page: 2 } }, score: 0 }]],
    },
    {
      it: 'never makes a filter part of the statement, whatever its content',
      versions,
      given: TWO,
      run: run('load', { ...SEARCH, options: { metadata: { metadataValues: [{ name: HOSTILE, value: HOSTILE }] } } }),
      gives: [[]],
      leaves: { ask: [`SELECT count(*)::int AS count FROM ${TABLE}`], answer: [{ count: 2 }] },
    },
    {
      it: 'gives rows with their ids to a model',
      versions,
      given: TWO,
      run: run('retrieve-as-tool', { ...AS_TOOL[0], topK: 1 }, AS_TOOL[1]),
      gives: [
        [
          {
            response: [
              {
                type: 'text',
                text: '{"pageContent":"aa","metadata":{"page":1},"id":"00000000-0000-4000-8000-00000000000a"}',
              },
            ],
          },
        ],
      ],
    },
    {
      it: 'gives rows to another node',
      versions,
      given: TWO,
      run: run('retrieve'),
      gives: [[{ found: ['aa', 'bb'] }]],
    },
    {
      it: 'stores rows in a collection of a table that has none yet',
      versions,
      given: TWO,
      run: run('insert', {
        options: {
          collection: { values: { useCollection: true, collectionName: 'g', collectionTableName: 'weft_groups' } },
        },
      }),
      gives: [[{ pageContent: 'a', metadata: FIRST_METADATA }]],
      leaves: {
        ask: [`SELECT text, name FROM ${TABLE} LEFT JOIN weft_groups ON uuid = collection_id ORDER BY text`],
        answer: [
          { text: 'a', name: 'g' },
          { text: 'aa', name: null },
          { text: 'bb', name: null },
        ],
      },
    },
    {
      it: 'names a table that does not exist',
      versions,
      given: NONE,
      run: run('load', SEARCH),
      fails: `Table ${TABLE} not found`,
    },
    {
      it: 'has the words of the database on vectors of another length',
      versions,
      given: [...NONE, [`CREATE TABLE ${TABLE} (id uuid, text text, metadata jsonb, embedding vector(3))`]],
      run: run('insert'),
      fails: 'expected 3 dimensions, not 26',
    },
    {
      it: 'refuses vectors of another length than those of its rows, and stores none',
      versions,
      given: [...NONE, ANY_LENGTH, [`INSERT INTO ${TABLE} (text, embedding) VALUES ('b', '[1,2,3]')`]],
      run: run('insert'),
      fails: `Table ${TABLE} has vectors of 3 numbers, not of 26`,
      leaves: { ask: STORED, answer: [{ text: 'b', source: null, length: 3 }] },
    },
    {
      it: 'has a distance for vectors without a direction',
      versions,
      given: [
        ...NONE,
        ANY_LENGTH,
        [`INSERT INTO ${TABLE} (text, metadata, embedding) VALUES ('b', '{}', ${vector(-1)})`],
      ],
      run: run('load', SEARCH),
      gives: [[{ document: { pageContent: 'b', metadata: {} }, score: 1 }]],
    },
    {
      it: 'takes names and values of a filter as text',
      versions,
      given: TWO,
      run: run('load', {
        ...SEARCH,
        options: { metadata: { metadataValues: [{ name: "page' IS NOT NULL OR 'a", value: HOSTILE }] } },
      }),
      gives: [[]],
      leaves: { ask: [`SELECT count(*)::int AS rows FROM ${TABLE}`], answer: [{ rows: 2 }] },
    },
    {
      it: 'refuses names of more than 63 letters, which the server would cut',
      versions,
      run: run('load', { ...SEARCH, tableName: 'x'.repeat(64) }),
      fails: 'Invalid table name',
    },
    {
      it: 'refuses names of columns of more than 63 letters',
      versions,
      run: run('load', { ...SEARCH, options: { columnNames: { values: { vectorColumnName: 'x'.repeat(64) } } } }),
      fails: 'Invalid column name',
    },
    {
      it: 'refuses the name of a table that is more than a name',
      versions,
      run: run('load', { ...SEARCH, tableName: HOSTILE }),
      fails: 'Invalid table name',
    },
  ],
};
