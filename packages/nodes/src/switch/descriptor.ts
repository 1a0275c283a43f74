import type { GroupDescriptor, JsonObject, KindDescriptor, ParameterDescriptor } from '@weft/node-catalogue';
import { FILTER_PARAMETER } from '../descriptors/filter-parameter';
import { type TYPED_OPERATIONS, typedOperations } from '../descriptors/typed-conditions';
import { withHelp } from '../descriptors/with-help';

type ValueType = keyof typeof TYPED_OPERATIONS;
const TYPES: readonly ValueType[] = ['boolean', 'dateTime', 'number', 'string'];
const MODE: ParameterDescriptor = {
  name: 'mode',
  label: 'Mode',
  type: 'options',
  default: 'rules',
  options: [
    { value: 'rules', label: 'Rules' },
    { value: 'expression', label: 'Expression' },
  ],
};
const initial = { boolean: 'equal', dateTime: 'after', number: 'smaller', string: 'equal' } as const;

/** Rules of the older form, which compare one value with one value each. */
const olderRules = (type: ValueType, version: 1 | 2): ParameterDescriptor => {
  const group: GroupDescriptor = {
    name: 'rules',
    label: 'Rule',
    fields: [
      {
        name: 'operation',
        label: 'Operation',
        type: 'options',
        default: initial[type],
        options: typedOperations(type),
      },
      { name: 'value2', label: 'Value 2', type },
      version === 1
        ? { name: 'output', label: 'Output', type: 'number', default: 0 }
        : { name: 'outputKey', label: 'Output name', type: 'string', default: '' },
    ],
  };
  return {
    name: 'rules',
    label: 'Rules',
    type: 'fixedCollection',
    multiple: true,
    default: {},
    since: version,
    until: version,
    shownWhen: { mode: ['rules'], dataType: [type] },
    groups: [group],
  };
};

/** The default rule: it always holds. */
const FIRST_RULE: JsonObject = {
  conditions: {
    combinator: 'and',
    conditions: [{ leftValue: '', rightValue: '', operator: { type: 'string', operation: 'equals' } }],
    options: { caseSensitive: true, leftValue: '', typeValidation: 'strict' },
  },
};

const HELP = {
  mode: 'Whether rules or an expression select the output.',
  output: 'Number of the output, from 0.',
  outputsAmount: 'Number of outputs.',
  numberOutputs: 'Number of outputs.',
  dataType: 'Data type of the comparison.',
  value1: 'Value that every rule compares.',
  rules: 'Rules in order; each has an output.',
  fallbackOutput: 'Number of an output, -1 for none.',
  looseTypeValidation: 'Converts values to the type of the condition instead of failing the node.',
  options: 'Additional options.',
  'options.allMatchingOutputs': 'Sends an item to every matching output, not only to the first.',
  'options.renameFallbackOutput': 'For display only.',
  'rules.values.outputKey': 'For display only.',
} as const;

/** The value that every rule compares before version 3: false or 0 by default. */
const firstValue = (dataType: string): ParameterDescriptor => ({
  name: 'value1',
  label: 'Value 1',
  type: dataType === 'number' || dataType === 'boolean' ? dataType : 'string',
  default: { boolean: false, number: 0 }[dataType] ?? '',
  until: 2,
  shownWhen: { mode: ['rules'], dataType: [dataType] },
});

/** Routes each item to the output of a rule. */
export const switchKind: KindDescriptor = {
  kind: 'switch',
  label: 'Switch',
  description: 'Routes each item to the output of the first matching rule, or of all matching rules.',
  versions: [1, 2, 3, 3.1, 3.2, 3.3, 3.4],
  groups: ['flow'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['0', '1', '2', '3'],
  ports: [
    { since: 2, outputsBy: 'rules.rules', until: 2, shownWhen: { mode: ['rules'] } },
    { since: 2, outputsBy: 'outputsAmount', until: 2, shownWhen: { mode: ['expression'] } },
    { since: 3, outputsBy: 'rules.values', shownWhen: { mode: ['rules'] } },
    { since: 3, outputsBy: 'numberOutputs', shownWhen: { mode: ['expression'] } },
  ],
  credentials: [],
  parameters: withHelp(HELP, [
    MODE,
    {
      name: 'output',
      label: 'Output',
      type: 'number',
      default: 0,
      until: 1,
      shownWhen: { mode: ['expression'] },
    },
    { name: 'output', label: 'Output', type: 'string', default: '', since: 2, shownWhen: { mode: ['expression'] } },
    {
      name: 'outputsAmount',
      label: 'Number of outputs',
      type: 'number',
      default: 4,
      since: 2,
      until: 2,
      shownWhen: { mode: ['expression'] },
    },
    {
      name: 'numberOutputs',
      label: 'Number of outputs',
      type: 'number',
      default: 4,
      since: 3,
      shownWhen: { mode: ['expression'] },
    },
    {
      name: 'dataType',
      label: 'Data type',
      type: 'options',
      default: 'number',
      until: 2,
      shownWhen: { mode: ['rules'] },
      options: TYPES.map((value) => ({ value, label: value })),
    },
    ...TYPES.map((dataType) => firstValue(dataType)),
    ...TYPES.flatMap((type) => [olderRules(type, 1), olderRules(type, 2)]),
    {
      name: 'fallbackOutput',
      label: 'Fallback output',
      type: 'number',
      default: -1,
      until: 2,
      shownWhen: { mode: ['rules'] },
    },
    {
      name: 'rules',
      label: 'Rules',
      type: 'fixedCollection',
      multiple: true,
      default: { values: [FIRST_RULE] },
      since: 3,
      shownWhen: { mode: ['rules'] },
      groups: [
        {
          name: 'values',
          label: 'Rule',
          fields: [
            FILTER_PARAMETER,
            { name: 'renameOutput', label: 'Rename output', type: 'boolean', default: false },
            { name: 'outputKey', label: 'Output name', type: 'string', default: '' },
          ],
        },
      ],
    },
    {
      name: 'looseTypeValidation',
      label: 'Convert types where required',
      type: 'boolean',
      default: false,
      since: 3.1,
      shownWhen: { mode: ['rules'] },
    },
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      since: 3,
      shownWhen: { mode: ['rules'] },
      fields: [
        {
          name: 'fallbackOutput',
          label: 'Fallback output',
          type: 'string',
          default: 'none',
          help: '`none`, `extra` or the number of an output.',
        },
        { name: 'ignoreCase', label: 'Ignore case', type: 'boolean', default: false },
        {
          name: 'looseTypeValidation',
          label: 'Convert types where required',
          type: 'boolean',
          default: false,
          until: 3,
        },
        { name: 'renameFallbackOutput', label: 'Output name', type: 'string', default: 'Fallback' },
        { name: 'allMatchingOutputs', label: 'Send data to all matching outputs', type: 'boolean', default: false },
      ],
    },
  ]),
};
