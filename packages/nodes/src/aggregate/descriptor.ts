import type { KindDescriptor } from '@weft/node-catalogue';
import { DISABLE_DOT_NOTATION, fieldList, FIELDS_TO_AGGREGATE } from '../descriptors/list-parameters';
import { withHelp } from '../descriptors/with-help';

const HELP = {
  aggregate: 'Whether to aggregate individual fields, or all items into one array.',
  fieldsToAggregate:
    'The fields to aggregate, each into a separate array. Null and missing values are skipped unless they are kept.',
  'fieldsToAggregate.fieldToAggregate.fieldToAggregate': 'Field name, in dot notation.',
  'fieldsToAggregate.fieldToAggregate.outputFieldName':
    'Name of the output field. Default: the name of the input field.',
  destinationFieldName: 'Name of the output field for the array.',
  include: 'Which fields of each item to include.',
  fieldsToExclude: 'Comma-separated names.',
  fieldsToInclude: 'Comma-separated names.',
  options: 'Additional options.',
  'options.mergeLists': 'Merges values that are arrays into one array instead of an array of arrays.',
  'options.includeBinaries': 'Includes the binary data of all items.',
  'options.keepOnlyUnique': 'Keeps only the first of files with the same type, extension and size.',
  'options.keepMissing': 'Adds null for items without the field.',
} as const;

/** Aggregates all items into one. */
export const aggregate: KindDescriptor = {
  kind: 'aggregate',
  label: 'Aggregate',
  description: 'Combines all items into one: arrays of field values, or one array of all items.',
  versions: [1],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  parameters: withHelp(HELP, [
    {
      name: 'aggregate',
      label: 'Aggregate',
      type: 'options',
      default: 'aggregateIndividualFields',
      options: [
        { value: 'aggregateIndividualFields', label: 'Individual fields' },
        { value: 'aggregateAllItemData', label: 'All item data' },
      ],
    },
    { ...FIELDS_TO_AGGREGATE, shownWhen: { aggregate: ['aggregateIndividualFields'] } },
    {
      name: 'destinationFieldName',
      label: 'Destination field name',
      type: 'string',
      default: 'data',
      shownWhen: { aggregate: ['aggregateAllItemData'] },
    },
    {
      name: 'include',
      label: 'Include',
      type: 'options',
      default: 'allFields',
      shownWhen: { aggregate: ['aggregateAllItemData'] },
      options: [
        { value: 'allFields', label: 'All fields' },
        { value: 'specifiedFields', label: 'Specified fields' },
        { value: 'allFieldsExcept', label: 'All fields except' },
      ],
    },
    fieldList('fieldsToExclude', 'Fields to exclude', {
      shownWhen: { aggregate: ['aggregateAllItemData'], include: ['allFieldsExcept'] },
      placeholder: 'id, name',
    }),
    fieldList('fieldsToInclude', 'Fields to include', {
      shownWhen: { aggregate: ['aggregateAllItemData'], include: ['specifiedFields'] },
      placeholder: 'id, name',
    }),
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      fields: [
        DISABLE_DOT_NOTATION,
        { name: 'mergeLists', label: 'Merge lists', type: 'boolean', default: false },
        { name: 'includeBinaries', label: 'Include binary data', type: 'boolean', default: false },
        { name: 'keepOnlyUnique', label: 'Keep only unique binaries', type: 'boolean', default: false },
        { name: 'keepMissing', label: 'Keep missing and null values', type: 'boolean', default: false },
      ],
    },
  ]),
};
