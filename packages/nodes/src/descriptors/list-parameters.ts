import type { ParameterDescriptor } from '@weft/node-catalogue';

/** Field names as `{ fields: [{ fieldName }] }`, the form before comma-separated names. */
export const namedFields = (name: string, label: string, over: Partial<ParameterDescriptor>): ParameterDescriptor => ({
  name,
  label,
  type: 'fixedCollection',
  multiple: true,
  default: {},
  groups: [
    { name: 'fields', label: 'Fields', fields: [{ name: 'fieldName', label: 'Field', type: 'string', default: '' }] },
  ],
  ...over,
});

/** Comma-separated field names. */
export const fieldList = (name: string, label: string, over: Partial<ParameterDescriptor>): ParameterDescriptor => ({
  name,
  label,
  type: 'string',
  default: '',
  ...over,
});

/** The option that turns off dot notation. */
export const DISABLE_DOT_NOTATION: ParameterDescriptor = {
  name: 'disableDotNotation',
  label: 'Disable dot notation',
  type: 'boolean',
  default: false,
};

/** Fields whose values are aggregated. */
export const FIELDS_TO_AGGREGATE: ParameterDescriptor = {
  name: 'fieldsToAggregate',
  label: 'Fields',
  type: 'fixedCollection',
  multiple: true,
  default: {},
  groups: [
    {
      name: 'fieldToAggregate',
      label: 'Field',
      fields: [
        { name: 'fieldToAggregate', label: 'Field', type: 'string', default: '' },
        { name: 'renameField', label: 'Rename field', type: 'boolean', default: false },
        { name: 'outputFieldName', label: 'Name', type: 'string', default: '', shownWhen: { renameField: [true] } },
      ],
    },
  ],
};

/** Supported aggregations. */
export const FIELDS_TO_SUMMARIZE: ParameterDescriptor = {
  name: 'fieldsToSummarize',
  label: 'Values',
  type: 'fixedCollection',
  multiple: true,
  default: {},
  help: 'The fields to aggregate, and how.',
  groups: [
    {
      name: 'values',
      label: 'Value',
      fields: [
        {
          name: 'aggregation',
          label: 'Aggregation',
          type: 'options',
          default: 'count',
          options: ['append', 'average', 'concatenate', 'count', 'countUnique', 'max', 'min', 'sum'].map((value) => ({
            value,
            label: value,
          })),
        },
        { name: 'field', label: 'Field', type: 'string', default: '' },
        { name: 'includeEmpty', label: 'Include empty values', type: 'boolean', default: false },
        { name: 'separateBy', label: 'Separator', type: 'string', default: ',' },
        { name: 'customSeparator', label: 'Custom separator', type: 'string', default: '' },
      ],
    },
  ],
};

/** Fields that items are sorted by. */
export const SORT_FIELDS: ParameterDescriptor = {
  name: 'sortFieldsUi',
  label: 'Fields',
  type: 'fixedCollection',
  multiple: true,
  default: {},
  shownWhen: { type: ['simple'] },
  help: 'The fields to sort by, in order, in dot notation.',
  groups: [
    {
      name: 'sortField',
      label: 'Field',
      fields: [
        { name: 'fieldName', label: 'Field', type: 'string', default: '' },
        {
          name: 'order',
          label: 'Order',
          type: 'options',
          default: 'ascending',
          options: [
            { value: 'ascending', label: 'Ascending' },
            { value: 'descending', label: 'Descending' },
          ],
        },
      ],
    },
  ],
};

/** Code that compares two items. */
export const SORT_CODE: ParameterDescriptor = {
  name: 'code',
  label: 'JavaScript',
  type: 'string',
  shownWhen: { type: ['code'] },
  default:
    '// Compares the items a and b: their fields are in a.json and b.json.\n// Return a negative number if a ' +
    'comes first, a positive one if b does, else 0.\nif (a.json.myField < b.json.myField) return -1;\nif ' +
    '(a.json.myField > b.json.myField) return 1;\nreturn 0;',
  help:
    'The body of a function of two items, a and b. Return a negative number if a comes first, a positive one if ' +
    'b does, else 0.',
  editor: 'javascript',
};

/** Ways to sort items. */
export const SORT_TYPE: ParameterDescriptor = {
  name: 'type',
  label: 'Sort',
  type: 'options',
  default: 'simple',
  help: 'How the items are sorted.',
  options: [
    { value: 'simple', label: 'Simple' },
    { value: 'random', label: 'Random' },
    { value: 'code', label: 'Code' },
  ],
};
