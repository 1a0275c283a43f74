import type { KindCases, NodeCase } from '../testing/cases/node-case';

const ALL = [1, 1.1, 1.2, 1.3, 1.4, 1.5];
const EACH = [1.3, 1.4, 1.5];
const FIRST = [1, 1.1, 1.2];
const ADA = '64b000000000000000000001';
const BOB = '64b000000000000000000002';
const HOSTILE = `'"}]}, {"$ne": null} $where __proto__ ü`;

const command = (text: object): readonly string[] => [JSON.stringify(text)];
const drop = command({ delete: 'people', deletes: [{ q: {}, limit: 0 }] });
const people: NonNullable<NodeCase['given']> = [
  drop,
  command({
    insert: 'people',
    documents: [
      { _id: { $oid: ADA }, name: 'Ada', age: 36, born: { $date: '1815-12-10T00:00:00Z' }, tags: ['a'] },
      { _id: { $oid: BOB }, name: 'Bob', age: 20, big: { $numberLong: '5' }, exact: { $numberDecimal: '1.10' } },
    ],
  }),
];
const left = (answer: unknown, projection: object = { _id: 0 }): NonNullable<NodeCase['leaves']> => ({
  ask: command({ find: 'people', filter: {}, projection, sort: { name: 1 } }),
  answer,
});
const ada = { _id: ADA, name: 'Ada', age: 36, born: '1815-12-10T00:00:00.000Z', tags: ['a'] };
const bob = { _id: BOB, name: 'Bob', age: 20, big: 5, exact: { $numberDecimal: '1.10' } };

const run = (operation: string, parameters: object, items: readonly object[] = [{}], node: object = {}) => ({
  items: JSON.parse(JSON.stringify(items)),
  parameters: JSON.parse(JSON.stringify({ operation, collection: 'people', ...parameters })),
  node: JSON.parse(JSON.stringify(node)),
});
const GO_ON = { onError: 'continueRegularOutput' };

const reads: readonly NodeCase[] = [
  {
    it: 'finds documents, with ids and dates as strings',
    versions: ALL,
    given: people,
    run: run('find', { query: '{}', options: { sort: '{ "name": 1 }' } }),
    gives: [[ada, bob]],
  },
  {
    it: 'treats a string in _id as an object id',
    versions: ALL,
    given: people,
    run: run('find', { query: `{ "_id": "${ADA}" }` }),
    gives: [[ada]],
  },
  {
    it: 'explains the format of an object id',
    versions: ALL,
    given: people,
    run: run('find', { query: '{ "_id": "Ada" }' }),
    fails: 'An object id must be 24 hexadecimal digits',
  },
  {
    it: 'skips, limits, sorts and projects',
    versions: ALL,
    given: people,
    run: run('find', {
      query: '{}',
      options: {
        skip: 1,
        limit: 1,
        sort: '{ "$1": -1 }',
        sortParameters: ['age'],
        projection: '{ "_id": 0, "$1": 1 }',
        projectionParameters: '["name"]',
      },
    }),
    gives: [[{ name: 'Bob' }]],
  },
  {
    it: 'queries for each item, and links the results to it',
    versions: [1.1, ...EACH],
    given: people,
    run: run('find', { query: '{ "name": "$1" }', queryParameters: '={{ [$json.name] }}', options: {} }, [
      { name: 'Bob' },
      { name: 'Ada' },
      { name: HOSTILE },
    ]),
    gives: [[bob, ada]],
    pairs: [[{ item: 0 }, { item: 1 }]],
  },
  {
    it: 'queries for the first item only in version 1',
    versions: [1],
    given: people,
    run: run('find', { query: '={ "name": "{{ $json.name }}" }' }, [{ name: 'Bob' }, { name: 'Ada' }]),
    gives: [[bob]],
    pairs: [[[{ item: 0 }, { item: 1 }]]],
  },
  {
    it: 'prevents values from becoming operators',
    versions: ALL,
    given: people,
    run: run('find', { query: '{ "name": "$1" }', queryParameters: [{ $ne: null }] }),
    fails: 'Query parameter 1 must be a scalar or an array of scalars',
  },
  {
    it: 'prevents values from becoming names of operators',
    versions: ALL,
    given: people,
    run: run('find', { query: '{ "$1": 1 }', queryParameters: ['$where'] }),
    fails: 'Query placeholder $1 is not a valid field name',
  },
  {
    it: 'rejects JavaScript at any depth',
    versions: ALL,
    given: people,
    run: run('find', { query: '{ "$and": [{ "$where": "sleep(1000) || true" }] }' }),
    fails: 'The operator $where runs JavaScript in the database, which is not supported',
  },
  {
    it: 'reports a query that is not JSON',
    versions: ALL,
    run: run('find', { query: '{ name: ' }),
    fails: `Invalid JSON in 'Query'`,
  },
  {
    it: 'outputs the error of the server instead of the item',
    versions: [1.1, ...EACH],
    given: people,
    run: run('find', { query: '={{ $json.query }}' }, [{ query: '{ "age": { "$no": 1 } }' }, { query: '{}' }], GO_ON),
    gives: [[{ error: expect.stringContaining('$no') }, ada, bob]],
  },
  {
    it: 'aggregates',
    versions: ALL,
    given: people,
    run: run('aggregate', {
      query: '[{ "$match": { "age": { "$gte": "$1" } } }, { "$group": { "_id": null, "sum": { "$sum": "$age" } } }]',
      queryParameters: [21],
    }),
    gives: [[{ _id: null, sum: 36 }]],
  },
  {
    it: 'requires an array of stages',
    versions: ALL,
    run: run('aggregate', { query: '{ "$match": {} }' }),
    fails: 'The Query must be a JSON array of stages',
  },
  {
    it: 'deletes the matching documents, and outputs their number',
    versions: ALL,
    given: people,
    run: run('delete', { query: '{ "name": "$1" }', queryParameters: ['Ada'] }),
    gives: [[{ deletedCount: 1 }]],
    leaves: left([{ name: 'Bob' }], { _id: 0, name: 1 }),
  },
  {
    it: 'uses a collection with a hostile name',
    versions: ALL,
    run: run('find', { collection: HOSTILE, query: '{}' }),
    gives: [[]],
  },
];

const inserted = (document: object) => ({ ...document, _id: expect.any(String), id: expect.any(String) });

const writes: readonly NodeCase[] = [
  {
    it: 'inserts a document for each item, and outputs their ids',
    versions: ALL,
    given: [drop],
    run: run('insert', { fields: 'name, age', options: { dateFields: 'born' } }, [
      { name: 'A', age: 1, other: true },
      { name: HOSTILE },
    ]),
    gives: [[inserted({ name: 'A', age: 1 }), inserted({ name: HOSTILE, age: null })]],
    leaves: left([
      { name: HOSTILE, age: null },
      { name: 'A', age: 1 },
    ]),
  },
  {
    it: 'inserts dates, and objects from names with dots',
    versions: ALL,
    given: [drop],
    run: run('insert', { fields: 'name,at.day', options: { useDotNotation: true, dateFields: 'at.day' } }, [
      { name: 'A', at: { day: '2026-01-31', hour: 3 } },
    ]),
    gives: [[inserted({ name: 'A', at: { day: '2026-01-31T00:00:00.000Z' } })]],
    leaves: {
      ask: command({ find: 'people', filter: { 'at.day': { $type: 'date' } }, projection: { _id: 0, name: 1 } }),
      answer: [{ name: 'A' }],
    },
  },
  {
    it: 'reports a date field that has no date',
    versions: ALL,
    given: [drop],
    run: run('insert', { fields: 'born', options: { dateFields: 'born' } }, [{ born: 'never' }]),
    fails: 'The value of the date field "born" is not a date',
  },
  {
    it: 'inserts into the collection of each item',
    versions: EACH,
    given: [drop],
    run: run('insert', { collection: '={{ $json.to }}', fields: 'name' }, [
      { to: 'people', name: 'A' },
      { to: 'others', name: 'B' },
      { to: 'people', name: 'C' },
    ]),
    gives: [['A', 'B', 'C'].map((name) => inserted({ name }))],
    pairs: [[{ item: 0 }, { item: 1 }, { item: 2 }]],
    leaves: left([{ name: 'A' }, { name: 'C' }]),
  },
  {
    it: 'uses the parameters of the first item for all in older versions',
    versions: FIRST,
    given: [drop],
    run: run('insert', { fields: '={{ $json.fields }}' }, [
      { fields: 'name', name: 'A' },
      { fields: 'other', name: 'B' },
    ]),
    gives: [['A', 'B'].map((name) => inserted({ name }))],
    pairs: [[0, 1].map(() => [{ item: 0 }, { item: 1 }])],
  },
  ...['update', 'findOneAndUpdate'].flatMap((operation): NodeCase[] => [
    {
      it: `changes the given fields (${operation})`,
      versions: ALL,
      given: people,
      run: run(operation, { updateKey: 'name', fields: 'age' }, [{ name: 'Ada', age: 37, other: 1 }]),
      gives: [[{ age: 37, name: 'Ada' }]],
      leaves: left(
        [
          { name: 'Ada', age: 37 },
          { name: 'Bob', age: 20 },
        ],
        { _id: 0, name: 1, age: 1 },
      ),
    },
    {
      it: `finds by object id, and does not change it (${operation})`,
      versions: ALL,
      given: people,
      run: run(operation, { updateKey: '_id', fields: 'age' }, [{ _id: BOB, age: 21 }]),
      gives: [[{ age: 21 }]],
      leaves: left(
        [
          { name: 'Ada', age: 36 },
          { name: 'Bob', age: 21 },
        ],
        { _id: 0, name: 1, age: 1 },
      ),
    },
    {
      it: `inserts a document without a match if configured (${operation})`,
      versions: ALL,
      given: people,
      run: run(operation, { updateKey: 'name', fields: 'age', upsert: true }, [{ name: 'Cy', age: 5 }]),
      gives: [[{ age: 5, name: 'Cy' }]],
      leaves: left([{ name: 'Ada' }, { name: 'Bob' }, { name: 'Cy' }], { _id: 0, name: 1 }),
    },
    {
      it: `changes one field of an object with a dotted name (${operation})`,
      versions: [1.2, ...EACH],
      given: [drop, command({ insert: 'people', documents: [{ name: 'A', at: { x: 1, y: 2 } }] })],
      run: run(operation, { updateKey: 'name', fields: 'at.x', options: { useDotNotation: true } }, [
        { name: 'A', at: { x: 9 } },
      ]),
      gives: [[{ 'at.x': 9, name: 'A' }]],
      leaves: left([{ name: 'A', at: { x: 9, y: 2 } }]),
    },
    {
      it: `rejects an object as the value to match (${operation})`,
      versions: ALL,
      given: people,
      run: run(operation, { updateKey: 'name', fields: 'age' }, [{ name: { $ne: null }, age: 0 }]),
      fails: 'The value of "name" must be a string, number, boolean, or date',
    },
    {
      it: `reports an item without the value to match (${operation})`,
      versions: EACH,
      given: people,
      run: run(operation, { updateKey: 'name', fields: 'age' }, [{ age: 0 }]),
      fails: 'Item is missing the updateKey field',
    },
    {
      it: `leaves out items without the value to match in older versions (${operation})`,
      versions: FIRST,
      given: people,
      run: run(operation, { updateKey: 'name', fields: 'age' }, [{ age: 0 }, { name: 'Bob', age: 1 }]),
      gives: [[{ age: 1, name: 'Bob' }]],
    },
    {
      it: `continues after an item that the server rejects (${operation})`,
      versions: [1.2, ...EACH],
      given: people,
      run: run(
        operation,
        { updateKey: 'name', fields: 'age.x', options: { useDotNotation: true } },
        [
          { name: 'Ada', age: { x: 1 } },
          { name: 'none', age: { x: 1 } },
        ],
        GO_ON,
      ),
      gives: [[{ error: expect.stringContaining('age') }, expect.objectContaining({ name: 'none' })]],
    },
  ]),
  {
    it: 'replaces a whole document',
    versions: ALL,
    given: people,
    run: run('findOneAndReplace', { updateKey: 'name', fields: 'age' }, [{ name: 'Ada', age: 37 }]),
    gives: [[{ age: 37, name: 'Ada' }]],
    leaves: left([
      { age: 37, name: 'Ada' },
      { name: 'Bob', age: 20, big: 5, exact: { $numberDecimal: '1.10' } },
    ]),
  },
  {
    it: 'outputs binary fields as files',
    versions: [1.4, 1.5],
    given: [
      drop,
      command({
        insert: 'people',
        documents: [{ name: 'A', photo: { $binary: { base64: 'aGk=', subType: '00' } } }],
      }),
    ],
    run: run('find', { query: '{}', options: { projection: '{ "_id": 0 }' } }),
    gives: [[{ name: 'A' }]],
    files: [{ photo: 'hi' }],
  },
  {
    it: 'outputs binary fields in base64 in older versions',
    versions: [...FIRST, 1.3],
    given: [
      drop,
      command({ insert: 'people', documents: [{ photo: { $binary: { base64: 'aGk=', subType: '00' } } }] }),
    ],
    run: run('find', { query: '{}', options: { projection: '{ "_id": 0 }' } }),
    gives: [[{ photo: 'aGk=' }]],
  },
];

const indexes: readonly NodeCase[] = [
  'createSearchIndex',
  'dropSearchIndex',
  'listSearchIndexes',
  'updateSearchIndex',
].map((operation) => ({
  it: `outputs the server's response about search indexes (${operation})`,
  versions: ALL,
  given: people,
  run: run(operation, { resource: 'searchIndexes', indexNameRequired: 'one', indexDefinition: '{}' }),
  fails: 'earch',
}));

export const mongoDbCases: KindCases = {
  kind: 'mongoDb',
  database: 'mongoDb',
  cases: [...reads, ...writes, ...indexes],
};
