import type { KindCases } from '../testing/cases/node-case';

const items = [{ a: 1, b: { c: 2 } }];
const LATER = [3.3, 3.4, 3.5];

export const setCases: KindCases = {
  kind: 'set',
  cases: [
    {
      it: 'adds values to the item, with their types unchanged',
      versions: [1],
      run: {
        items,
        parameters: {
          values: { number: [{ name: 'n', value: '5' }], string: [{ name: 's', value: '={{ $json.a }}' }] },
        },
      },
      gives: [[{ a: 1, b: { c: 2 }, n: '5', s: 1 }]],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'adds values to the item, numbers as numbers',
      versions: [2],
      run: {
        items,
        parameters: { values: { number: [{ name: 'n', value: '5' }], boolean: [{ name: 'b.d', value: true }] } },
      },
      gives: [[{ a: 1, b: { c: 2, d: true }, n: 5 }]],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'includes only set fields if configured',
      versions: [1, 2],
      run: { items, parameters: { keepOnlySet: true, values: { string: [{ name: 's', value: 'x' }] } } },
      gives: [[{ s: 'x' }]],
    },
    {
      it: 'sets typed fields and includes all others by default',
      versions: [3, 3.1, 3.2],
      run: {
        items,
        parameters: {
          fields: {
            values: [
              { name: 'n', type: 'numberValue', numberValue: '={{ $json.a + 1 }}' },
              { name: 'b.d', stringValue: 'x' },
            ],
          },
        },
      },
      gives: [[{ a: 1, b: { c: 2, d: 'x' }, n: 2 }]],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'writes a missing value as a string',
      versions: [3],
      run: {
        items,
        parameters: { include: 'none', fields: { values: [{ name: 's', stringValue: '={{ $json.zz }}' }] } },
      },
      gives: [[{ s: 'undefined' }]],
    },
    {
      it: 'writes null as a string, even though the node ignores values of another type',
      versions: [3],
      run: {
        items,
        parameters: {
          include: 'none',
          fields: { values: [{ name: 's', stringValue: '={{ null }}' }] },
          options: { ignoreConversionErrors: true },
        },
      },
      gives: [[{ s: 'null' }]],
    },
    {
      it: 'rejects a missing value',
      versions: [3.1],
      run: {
        items,
        parameters: { include: 'none', fields: { values: [{ name: 's', stringValue: '={{ $json.zz }}' }] } },
      },
      fails: "'s' expects a string",
    },
    {
      it: 'writes a missing value as null',
      versions: [3.2],
      run: {
        items,
        parameters: { include: 'none', fields: { values: [{ name: 's', stringValue: '={{ $json.zz }}' }] } },
      },
      gives: [[{ s: null }]],
    },
    {
      it: 'sets assignments and omits all other fields by default',
      versions: LATER,
      run: {
        items,
        parameters: {
          assignments: {
            assignments: [
              { name: 'n', type: 'number', value: '={{ $json.a + 1 }}' },
              { name: 'o.s', type: 'string', value: 'x' },
            ],
          },
        },
      },
      gives: [[{ n: 2, o: { s: 'x' } }]],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'includes the other fields if configured',
      versions: LATER,
      run: {
        items,
        parameters: {
          includeOtherFields: true,
          assignments: { assignments: [{ name: 'n', type: 'number', value: 2 }] },
        },
      },
      gives: [[{ a: 1, b: { c: 2 }, n: 2 }]],
    },
    {
      it: 'adds two fields by default in JSON mode',
      versions: [3, 3.1, 3.2],
      run: { items: [{ a: 1 }], parameters: { mode: 'raw' } },
      gives: [[{ a: 1, my_field_1: 'value', my_field_2: 1 }]],
    },
    {
      it: 'outputs two fields by default in JSON mode',
      versions: [3.3, 3.4, 3.5],
      run: { items: [{ a: 1 }], parameters: { mode: 'raw' } },
      gives: [[{ my_field_1: 'value', my_field_2: 1 }]],
    },
    {
      it: 'reads a whole object from JSON',
      versions: [3, 3.1, 3.2, ...LATER],
      run: { items, parameters: { mode: 'raw', include: 'none', jsonOutput: '={ "n": {{ $json.a }} }' } },
      gives: [[{ n: 1 }]],
    },
    {
      it: 'includes files',
      versions: [1, 2],
      run: { items },
      withFiles: { data: { content: 'x' } },
      files: [{ data: 'x' }],
    },
    {
      it: 'omits files by default',
      versions: [3, 3.1, 3.2, 3.3],
      run: { items, parameters: { includeOtherFields: true } },
      withFiles: { data: { content: 'x' } },
      files: [{}],
    },
    {
      it: 'includes files if configured',
      versions: [3, 3.1, 3.2, 3.3],
      run: { items, parameters: { options: { includeBinary: true } } },
      withFiles: { data: { content: 'x' } },
      files: [{ data: 'x' }],
    },
    {
      it: 'omits files with the other fields',
      versions: [3.4, 3.5],
      run: { items, parameters: { options: { stripBinary: false } } },
      withFiles: { data: { content: 'x' } },
      files: [{}],
    },
    {
      it: 'includes files with the other fields',
      versions: [3.4, 3.5],
      run: { items, parameters: { includeOtherFields: true } },
      withFiles: { data: { content: 'x' } },
      files: [{ data: 'x' }],
    },
    {
      it: 'omits files if configured',
      versions: [3.4, 3.5],
      run: { items, parameters: { includeOtherFields: true, options: { stripBinary: true } } },
      withFiles: { data: { content: 'x' } },
      files: [{}],
    },
    {
      it: 'leaves out a field whose expression is undefined, even one that the item has',
      versions: [1, 2],
      run: {
        items: [{ a: 1, b: 2 }],
        parameters: {
          values: {
            string: [
              { name: 'a', value: '={{ $json.nope }}' },
              { name: 'c', value: '={{ $json.nope }}' },
            ],
          },
        },
      },
      gives: [[{ b: 2 }]],
    },
    {
      it: 'converts any value to a boolean',
      versions: [1, 2],
      run: {
        items: [{}],
        parameters: {
          values: {
            boolean: [
              { name: 'a', value: '={{ undefined }}' },
              { name: 'b', value: '={{ "x" }}' },
            ],
          },
        },
      },
      gives: [[{ a: false, b: true }]],
    },
    {
      it: 'writes a JavaScript date into a string as JSON, a Luxon date as an ISO string',
      versions: [3, 3.1, 3.2],
      run: {
        items: [{}],
        parameters: {
          include: 'none',
          fields: {
            values: [
              { name: 'js', stringValue: '={{ new Date(0) }}' },
              { name: 'luxon', stringValue: '={{ DateTime.fromMillis(0).toUTC() }}' },
            ],
          },
        },
      },
      gives: [[{ js: '"1970-01-01T00:00:00.000Z"', luxon: '1970-01-01T00:00:00.000Z' }]],
    },
    {
      it: 'writes a JavaScript date into a string as JSON, a Luxon date as an ISO string',
      versions: [3.3, 3.4, 3.5],
      run: {
        items: [{}],
        parameters: {
          assignments: {
            assignments: [
              { id: '1', name: 'js', type: 'string', value: '={{ new Date(0) }}' },
              { id: '2', name: 'luxon', type: 'string', value: '={{ DateTime.fromMillis(0).toUTC() }}' },
            ],
          },
        },
      },
      gives: [[{ js: '"1970-01-01T00:00:00.000Z"', luxon: '1970-01-01T00:00:00.000Z' }]],
    },
    {
      it: 'prevents a name from reaching a prototype',
      versions: [1, 2],
      run: { items: [{}], parameters: { values: { string: [{ name: '__proto__.polluted', value: 'x' }] } } },
      fails: 'The path "__proto__.polluted" is not allowed',
    },
    {
      it: 'reports a field whose value has another type',
      versions: [3, 3.1, 3.2],
      run: {
        items: [{}],
        parameters: { fields: { values: [{ name: 'n', type: 'numberValue', numberValue: '={{ "many" }}' }] } },
      },
      fails: "'n' expects a number but we got 'many' [item 0]",
    },
    {
      it: 'reports a field whose value has another type',
      versions: [3.3, 3.4, 3.5],
      run: {
        items: [{}],
        parameters: { assignments: { assignments: [{ id: '1', name: 'n', type: 'number', value: '={{ "many" }}' }] } },
      },
      fails: "'n' expects a number but we got 'many' [item 0]",
    },
    {
      it: 'sets no value of a type if one fails, if the older option continues',
      versions: [1, 2],
      run: {
        items: [{ a: 1 }, { a: 2 }],
        parameters: {
          values: {
            string: [{ name: 'q', value: '={{ $json.a === 2 ? null.toTitleCase() : "x" }}' }],
            number: [{ name: 'n', value: 5 }],
          },
        },
        node: { continueOnFail: true },
      },
      gives: [
        [
          { a: 1, n: 5, q: 'x' },
          { a: 2, n: 5 },
        ],
      ],
    },
  ],
};
