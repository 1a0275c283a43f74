import type { KindDescriptor } from '../descriptor';
import { DISABLE_DOT_NOTATION, fieldList, FIELDS_TO_AGGREGATE } from './list-parameters';
import { withHelp } from './with-help';

const HELP = {
  aggregate: 'Whether the values of chosen fields become lists, or all items become one list.',
  fieldsToAggregate:
    'The fields whose values are aggregated, each into a list of its own. Empty values are left out unless ' +
    'they are to be kept.',
  'fieldsToAggregate.fieldToAggregate.fieldToAggregate': 'Name of the field; dots mean nesting.',
  'fieldsToAggregate.fieldToAggregate.outputFieldName':
    'Name of the list in the new item; the name of the field otherwise.',
  destinationFieldName: 'The field of the new item that holds the list of all items.',
  include: 'Which fields each item keeps in the list.',
  fieldsToExclude: 'Names with commas between them.',
  fieldsToInclude: 'Names with commas between them.',
  options: 'Less common settings.',
  'options.mergeLists': 'Values that are lists are put into one list, instead of a list of lists.',
  'options.includeBinaries': 'The new item has the files of all items.',
  'options.keepOnlyUnique': 'Of files with the same type, ending and size the first is kept.',
  'options.keepMissing': 'Items without the field give null.',
} as const;

/** Makes one item of all. */
export const aggregate: KindDescriptor = {
  kind: 'aggregate',
  label: 'Aggregate',
  description: 'Makes one item of all: lists of the values of fields, or one list of all items.',
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
        { value: 'aggregateIndividualFields', label: 'Fields' },
        { value: 'aggregateAllItemData', label: 'Whole items' },
      ],
    },
    { ...FIELDS_TO_AGGREGATE, shownWhen: { aggregate: ['aggregateIndividualFields'] } },
    {
      name: 'destinationFieldName',
      label: 'Name of the list',
      type: 'string',
      default: 'data',
      shownWhen: { aggregate: ['aggregateAllItemData'] },
    },
    {
      name: 'include',
      label: 'Keep',
      type: 'options',
      default: 'allFields',
      shownWhen: { aggregate: ['aggregateAllItemData'] },
      options: [
        { value: 'allFields', label: 'All fields' },
        { value: 'specifiedFields', label: 'Chosen fields' },
        { value: 'allFieldsExcept', label: 'All but chosen fields' },
      ],
    },
    fieldList('fieldsToExclude', 'Fields to leave out', {
      shownWhen: { aggregate: ['aggregateAllItemData'], include: ['allFieldsExcept'] },
    }),
    fieldList('fieldsToInclude', 'Fields to keep', {
      shownWhen: { aggregate: ['aggregateAllItemData'], include: ['specifiedFields'] },
    }),
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      fields: [
        DISABLE_DOT_NOTATION,
        { name: 'mergeLists', label: 'Merge lists', type: 'boolean', default: false },
        { name: 'includeBinaries', label: 'Keep files', type: 'boolean', default: false },
        { name: 'keepOnlyUnique', label: 'Each file once', type: 'boolean', default: false },
        { name: 'keepMissing', label: 'Keep missing values', type: 'boolean', default: false },
      ],
    },
  ]),
};
