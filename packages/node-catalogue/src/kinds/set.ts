import type { KindDescriptor, ParameterDescriptor } from '../descriptor';
import { withHelp } from './with-help';

const field = (name: string, label: string, type: ParameterDescriptor['type'], shown: string): ParameterDescriptor => ({
  name,
  label,
  type,
  default: type === 'boolean' ? 'true' : '',
  shownWhen: { type: [shown] },
});
const legacyValue = (
  type: ParameterDescriptor['type'],
  initial: ParameterDescriptor['default'],
): readonly ParameterDescriptor[] => [
  { name: 'name', label: 'Name', type: 'string', default: 'propertyName' },
  { name: 'value', label: 'Value', type, ...(initial === undefined ? {} : { default: initial }) },
];

const HELP = {
  keepOnlySet: 'The other fields are left out.',
  values: 'Values by their type.',
  mode: 'Fields one by one, or one JSON object.',
  duplicateItem: 'For trying out: in runs that were started by hand, items are repeated.',
  duplicateCount: 'How often each item is repeated.',
  jsonOutput: 'A JSON object; expressions within it may give objects and lists.',
  fields: 'Names, types and values; dots in names mean nesting.',
  assignments:
    '`{ assignments: [{ id, name, type, value }] }` with the types string, number, boolean, array, object ' +
    'and binary; dots in names mean nesting.',
  includeOtherFields: 'Without it the new item has the set fields alone.',
  include: 'Which fields of the item are kept.',
  includeFields: 'Names with commas between them.',
  excludeFields: 'Names with commas between them.',
  options: 'Less common settings.',
  'options.includeBinary': 'Without it the new item has no files.',
  'options.stripBinary': 'Files are kept with the other fields, and only with them.',
  'options.ignoreConversionErrors': 'Otherwise a value that does not fit its type fails the node.',
} as const;

/** Builds one item per item. */
export const set: KindDescriptor = {
  kind: 'set',
  label: 'Edit fields (Set)',
  description: 'Makes a new item of every item: sets fields, keeps or leaves out the others.',
  versions: [1, 2, 3, 3.1, 3.2, 3.3, 3.4],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  parameters: withHelp(HELP, [
    { name: 'keepOnlySet', label: 'Keep only what is set', type: 'boolean', default: false, until: 2 },
    {
      name: 'values',
      label: 'Values',
      type: 'fixedCollection',
      multiple: true,
      default: {},
      until: 2,
      groups: [
        { name: 'boolean', label: 'Boolean', fields: legacyValue('boolean', false) },
        { name: 'number', label: 'Number', fields: legacyValue('number', 0) },
        { name: 'string', label: 'Text', fields: legacyValue('string', '') },
      ],
    },
    {
      name: 'mode',
      label: 'Mode',
      type: 'options',
      default: 'manual',
      since: 3,
      options: [
        { value: 'manual', label: 'Fields' },
        { value: 'raw', label: 'JSON' },
      ],
    },
    { name: 'duplicateItem', label: 'Repeat the item', type: 'boolean', default: false, since: 3 },
    {
      name: 'duplicateCount',
      label: 'Repetitions',
      type: 'number',
      default: 0,
      since: 3,
      shownWhen: { duplicateItem: [true] },
    },
    { name: 'jsonOutput', label: 'JSON', type: 'json', default: '{}', since: 3, shownWhen: { mode: ['raw'] } },
    {
      name: 'fields',
      label: 'Fields',
      type: 'fixedCollection',
      multiple: true,
      default: {},
      since: 3,
      until: 3.2,
      shownWhen: { mode: ['manual'] },
      groups: [
        {
          name: 'values',
          label: 'Field',
          fields: [
            { name: 'name', label: 'Name', type: 'string', default: '' },
            {
              name: 'type',
              label: 'Type',
              type: 'options',
              default: 'stringValue',
              options: [
                { value: 'stringValue', label: 'Text' },
                { value: 'numberValue', label: 'Number' },
                { value: 'booleanValue', label: 'Boolean' },
                { value: 'arrayValue', label: 'List' },
                { value: 'objectValue', label: 'Object' },
              ],
            },
            field('stringValue', 'Text', 'string', 'stringValue'),
            field('numberValue', 'Number', 'string', 'numberValue'),
            field('booleanValue', 'Boolean', 'boolean', 'booleanValue'),
            field('arrayValue', 'List', 'string', 'arrayValue'),
            field('objectValue', 'Object', 'json', 'objectValue'),
          ],
        },
      ],
    },
    {
      name: 'assignments',
      label: 'Fields',
      type: 'assignmentCollection',
      default: {},
      since: 3.3,
      shownWhen: { mode: ['manual'] },
    },
    { name: 'includeOtherFields', label: 'Keep the other fields', type: 'boolean', default: false, since: 3.3 },
    {
      name: 'include',
      label: 'Keep of the input',
      type: 'options',
      default: 'all',
      since: 3,
      until: 3.2,
      options: [
        { value: 'all', label: 'All fields' },
        { value: 'none', label: 'No field' },
        { value: 'selected', label: 'Chosen fields' },
        { value: 'except', label: 'All but chosen fields' },
      ],
    },
    {
      name: 'include',
      label: 'Keep of the input',
      type: 'options',
      default: 'all',
      since: 3.3,
      shownWhen: { includeOtherFields: [true] },
      options: [
        { value: 'all', label: 'All fields' },
        { value: 'selected', label: 'Chosen fields' },
        { value: 'except', label: 'All but chosen fields' },
      ],
    },
    {
      name: 'includeFields',
      label: 'Fields to keep',
      type: 'string',
      default: '',
      since: 3,
      shownWhen: { include: ['selected'] },
    },
    {
      name: 'excludeFields',
      label: 'Fields to leave out',
      type: 'string',
      default: '',
      since: 3,
      shownWhen: { include: ['except'] },
    },
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      fields: [
        { name: 'dotNotation', label: 'Dots in names mean nesting', type: 'boolean', default: true },
        {
          name: 'ignoreConversionErrors',
          label: 'Keep values that do not fit their type',
          type: 'boolean',
          default: false,
          since: 3,
        },
        { name: 'includeBinary', label: 'Keep files', type: 'boolean', default: false, since: 3, until: 3.3 },
        { name: 'stripBinary', label: 'Leave files out', type: 'boolean', default: false, since: 3.4 },
      ],
    },
  ]),
};
