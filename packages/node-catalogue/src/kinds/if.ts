import type { GroupDescriptor, KindDescriptor, OptionDescriptor, ParameterDescriptor } from '../descriptor';

const operations = (...names: string[]): readonly OptionDescriptor[] => names.map((value) => ({ value, label: value }));
const group = (name: string, label: string, options: readonly OptionDescriptor[], initial: string, type: ParameterDescriptor['type']): GroupDescriptor => ({
  name, label, fields: [
    { name: 'value1', label: 'First value', type },
    { name: 'operation', label: 'Operation', type: 'options', default: initial, options },
    { name: 'value2', label: 'Second value', type },
  ],
});

/** Sends each item one of two ways. */
export const ifKind: KindDescriptor = {
  kind: 'if',
  label: 'If',
  description: 'Sends each item to the first output if the conditions hold, else to the second.',
  versions: [1, 2, 2.1, 2.2, 2.3],
  groups: ['flow'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['true', 'false'],
  credentials: [],
  parameters: [
    {
      name: 'conditions', label: 'Conditions', type: 'fixedCollection', multiple: true, default: {}, until: 1,
      groups: [
        group('boolean', 'Boolean', operations('equal', 'notEqual'), 'equal', 'boolean'),
        group('dateTime', 'Date and time', operations('after', 'before'), 'after', 'dateTime'),
        group('number', 'Number', operations('smaller', 'smallerEqual', 'equal', 'notEqual', 'larger', 'largerEqual', 'isEmpty', 'isNotEmpty'), 'smaller', 'number'),
        group('string', 'Text', operations(
          'contains', 'notContains', 'endsWith', 'notEndsWith', 'equal', 'notEqual', 'regex', 'notRegex', 'startsWith', 'notStartsWith', 'isEmpty', 'isNotEmpty',
        ), 'equal', 'string'),
      ],
    },
    {
      name: 'combineOperation', label: 'Combine', type: 'options', default: 'all', until: 1,
      options: [{ value: 'all', label: 'All have to hold' }, { value: 'any', label: 'One has to hold' }],
    },
    { name: 'conditions', label: 'Conditions', type: 'filter', default: {}, since: 2 },
    { name: 'looseTypeValidation', label: 'Convert types where needed', type: 'boolean', default: false, since: 2.1 },
    {
      name: 'options', label: 'Options', type: 'collection', default: {}, since: 2,
      fields: [
        { name: 'ignoreCase', label: 'Ignore case', type: 'boolean', default: true },
        { name: 'looseTypeValidation', label: 'Convert types where needed', type: 'boolean', default: true, until: 2 },
      ],
    },
  ],
};
