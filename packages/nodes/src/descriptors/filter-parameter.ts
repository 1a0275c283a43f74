import type { OperationDescriptor, OperationsByType, ParameterDescriptor } from '@weft/node-catalogue';

const op = (value: string, label: string): OperationDescriptor => ({ value, label });
const alone = (value: string, label: string): OperationDescriptor => ({ value, label, singleValue: true });
const PRESENCE = [
  alone('exists', 'Exists'),
  alone('notExists', 'Does not exist'),
  alone('empty', 'Is empty'),
  alone('notEmpty', 'Is not empty'),
];
const EQUALITY = [op('equals', 'Is equal to'), op('notEquals', 'Is not equal to')];
const MEMBERS = [op('contains', 'Contains'), op('notContains', 'Does not contain')];

/** Operations in conditions of If, Filter and Switch, by the type of their first value. */
export const FILTER_OPERATIONS: OperationsByType = {
  string: [
    ...PRESENCE,
    ...EQUALITY,
    ...MEMBERS,
    op('startsWith', 'Starts with'),
    op('notStartsWith', 'Does not start with'),
    op('endsWith', 'Ends with'),
    op('notEndsWith', 'Does not end with'),
    op('regex', 'Matches regex'),
    op('notRegex', 'Does not match regex'),
  ],
  number: [
    ...PRESENCE,
    ...EQUALITY,
    op('gt', 'Is greater than'),
    op('lt', 'Is less than'),
    op('gte', 'Is greater than or equal to'),
    op('lte', 'Is less than or equal to'),
  ],
  dateTime: [
    ...PRESENCE,
    ...EQUALITY,
    op('after', 'Is after'),
    op('before', 'Is before'),
    op('afterOrEquals', 'Is after or equal to'),
    op('beforeOrEquals', 'Is before or equal to'),
  ],
  boolean: [...PRESENCE, alone('true', 'Is true'), alone('false', 'Is false'), ...EQUALITY],
  array: [
    ...PRESENCE,
    ...MEMBERS,
    op('lengthEquals', 'Length equal to'),
    op('lengthNotEquals', 'Length not equal to'),
    op('lengthGt', 'Length greater than'),
    op('lengthLt', 'Length less than'),
    op('lengthGte', 'Length greater than or equal to'),
    op('lengthLte', 'Length less than or equal to'),
  ],
  object: PRESENCE,
};

/** Conditions in the current form of If, Filter and Switch. */
export const FILTER_PARAMETER: ParameterDescriptor = {
  name: 'conditions',
  label: 'Conditions',
  type: 'filter',
  default: {},
  operations: FILTER_OPERATIONS,
  help:
    '`{ combinator: "and" | "or", conditions: [{ leftValue, rightValue, operator: { type, operation } }], ' +
    'options: { caseSensitive, typeValidation: "strict" | "loose", version } }`. Without conditions everything ' +
    'passes.',
};

/** The conditions of If and Filter since version 2, and their options. */
export const FILTER_PARAMETERS: readonly ParameterDescriptor[] = [
  { ...FILTER_PARAMETER, since: 2 },
  { name: 'looseTypeValidation', label: 'Convert types where required', type: 'boolean', default: false, since: 2.1 },
  {
    name: 'options',
    label: 'Options',
    type: 'collection',
    default: {},
    since: 2,
    fields: [
      { name: 'ignoreCase', label: 'Ignore case', type: 'boolean', default: false },
      // Some exports include it, but no version reads it: the conditions contain the case setting.
      { name: 'caseSensitive', label: 'Case sensitive', type: 'boolean', default: true, until: 1 },
      { name: 'looseTypeValidation', label: 'Convert types where required', type: 'boolean', default: false, until: 2 },
    ],
  },
];
