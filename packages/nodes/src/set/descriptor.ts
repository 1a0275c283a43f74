import type { KindDescriptor, ParameterDescriptor } from '@weft/node-catalogue';
import { withHelp } from '../descriptors/with-help';

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
  keepOnlySet: 'Removes all other fields.',
  values: 'Values, grouped by type.',
  mode: 'Whether to set fields one by one or as JSON.',
  duplicateItem: 'For testing: duplicates items in manual runs.',
  duplicateCount: 'How often each item is duplicated.',
  jsonOutput: 'A JSON object; embedded expressions may return objects and arrays.',
  fields: 'Names, types and values; names in dot notation.',
  assignments:
    '`{ assignments: [{ id, name, type, value }] }` with the types string, number, boolean, array, object and ' +
    'binary; names in dot notation.',
  includeOtherFields: 'If off, the output item holds only the fields that are set.',
  include: 'Which input fields to include.',
  includeFields: 'Comma-separated names.',
  excludeFields: 'Comma-separated names.',
  options: 'Additional options.',
  'options.includeBinary': 'If off, the output item has no binary data.',
  'options.stripBinary': 'Binary data is kept only together with the other fields.',
  'options.ignoreConversionErrors': 'If off, a value that does not have its type fails the node.',
} as const;

/** Creates one item from each item. */
export const set: KindDescriptor = {
  kind: 'set',
  label: 'Edit fields (Set)',
  description: 'Adds, changes or removes fields of each item.',
  versions: [1, 2, 3, 3.1, 3.2, 3.3, 3.4, 3.5],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  parameters: withHelp(HELP, [
    { name: 'keepOnlySet', label: 'Keep only set', type: 'boolean', default: false, until: 2 },
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
        { name: 'string', label: 'String', fields: legacyValue('string', '') },
      ],
    },
    {
      name: 'mode',
      label: 'Mode',
      type: 'options',
      default: 'manual',
      since: 3,
      options: [
        { value: 'manual', label: 'Manual mapping' },
        { value: 'raw', label: 'JSON' },
      ],
    },
    { name: 'duplicateItem', label: 'Duplicate item', type: 'boolean', default: false, since: 3 },
    {
      name: 'duplicateCount',
      label: 'Duplicate item count',
      type: 'number',
      default: 0,
      since: 3,
      shownWhen: { duplicateItem: [true] },
    },
    {
      name: 'jsonOutput',
      label: 'JSON',
      type: 'json',
      default: '{ "my_field_1": "value", "my_field_2": 1 }',
      since: 3,
      shownWhen: { mode: ['raw'] },
    },
    {
      name: 'fields',
      label: 'Manual mapping',
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
                { value: 'stringValue', label: 'String' },
                { value: 'numberValue', label: 'Number' },
                { value: 'booleanValue', label: 'Boolean' },
                { value: 'arrayValue', label: 'Array' },
                { value: 'objectValue', label: 'Object' },
              ],
            },
            field('stringValue', 'Text', 'string', 'stringValue'),
            field('numberValue', 'Number', 'string', 'numberValue'),
            field('booleanValue', 'Boolean', 'boolean', 'booleanValue'),
            field('arrayValue', 'List', 'string', 'arrayValue'),
            { ...field('objectValue', 'Object', 'json', 'objectValue'), default: '={}' },
          ],
        },
      ],
    },
    {
      name: 'assignments',
      label: 'Manual mapping',
      type: 'assignmentCollection',
      default: {},
      since: 3.3,
      shownWhen: { mode: ['manual'] },
    },
    { name: 'includeOtherFields', label: 'Include other input fields', type: 'boolean', default: false, since: 3.3 },
    {
      name: 'include',
      label: 'Input fields to include',
      type: 'options',
      default: 'all',
      since: 3,
      until: 3.2,
      options: [
        { value: 'all', label: 'All' },
        { value: 'none', label: 'None' },
        { value: 'selected', label: 'Specified fields' },
        { value: 'except', label: 'All fields except' },
      ],
    },
    {
      name: 'include',
      label: 'Input fields to include',
      type: 'options',
      default: 'all',
      since: 3.3,
      shownWhen: { includeOtherFields: [true] },
      options: [
        { value: 'all', label: 'All' },
        { value: 'selected', label: 'Specified fields' },
        { value: 'except', label: 'All fields except' },
      ],
    },
    {
      name: 'includeFields',
      label: 'Fields to include',
      type: 'string',
      default: '',
      since: 3,
      shownWhen: { include: ['selected'] },
    },
    {
      name: 'excludeFields',
      label: 'Fields to exclude',
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
        { name: 'dotNotation', label: 'Support dot notation', type: 'boolean', default: true },
        {
          name: 'ignoreConversionErrors',
          label: 'Ignore type conversion errors',
          type: 'boolean',
          default: false,
          since: 3,
        },
        { name: 'includeBinary', label: 'Include binary data', type: 'boolean', default: false, since: 3, until: 3.3 },
        { name: 'stripBinary', label: 'Strip binary data', type: 'boolean', default: false, since: 3.4 },
      ],
    },
  ]),
};
