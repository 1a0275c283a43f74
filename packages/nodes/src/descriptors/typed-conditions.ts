import type { GroupDescriptor, OptionDescriptor, ParameterDescriptor } from '@weft/node-catalogue';

/** Operations of the older form of conditions, by the type of their values. */
export const TYPED_OPERATIONS = {
  boolean: ['equal', 'notEqual'],
  dateTime: ['after', 'before'],
  number: ['smaller', 'smallerEqual', 'equal', 'notEqual', 'larger', 'largerEqual', 'isEmpty', 'isNotEmpty'],
  string: [
    'contains',
    'notContains',
    'endsWith',
    'notEndsWith',
    'equal',
    'notEqual',
    'regex',
    'notRegex',
    'startsWith',
    'notStartsWith',
    'isEmpty',
    'isNotEmpty',
  ],
} as const;

/** `OPERATIONS` as options of a parameter. */
export function typedOperations(type: keyof typeof TYPED_OPERATIONS): OptionDescriptor[] {
  return TYPED_OPERATIONS[type].map((value) => ({ value, label: value }));
}

const group = (name: keyof typeof TYPED_OPERATIONS, label: string, initial: string): GroupDescriptor => ({
  name,
  label,
  fields: [
    { name: 'value1', label: 'Value 1', type: name },
    { name: 'operation', label: 'Operation', type: 'options', default: initial, options: typedOperations(name) },
    { name: 'value2', label: 'Value 2', type: name },
  ],
});

/** Conditions in arrays by type, as in the first versions of If and Filter. */
export const TYPED_CONDITIONS: ParameterDescriptor = {
  name: 'conditions',
  label: 'Conditions',
  type: 'fixedCollection',
  multiple: true,
  default: {},
  groups: [
    group('boolean', 'Boolean', 'equal'),
    group('dateTime', 'Date and time', 'after'),
    group('number', 'Number', 'smaller'),
    group('string', 'Text', 'equal'),
  ],
};
