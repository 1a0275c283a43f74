import type { Conditions, KindDescriptor, ParameterDescriptor } from '@weft/node-catalogue';
import { choice } from '../descriptors/build-parameters';
import { MERGE_HELP } from './descriptor-help';
import { withHelp } from '../descriptors/with-help';

const FIELD_PAIRS: readonly ParameterDescriptor[] = [
  { name: 'field1', label: 'Input 1 field', type: 'string', default: '' },
  { name: 'field2', label: 'Input 2 field', type: 'string', default: '' },
];
const JOIN_MODES = [
  choice('keepMatches', 'Keep matches'),
  choice('keepNonMatches', 'Keep non-matches'),
  choice('keepEverything', 'Keep everything'),
  choice('enrichInput1', 'Enrich input 1'),
  choice('enrichInput2', 'Enrich input 2'),
];
const CLASH: ParameterDescriptor = {
  name: 'clashHandling',
  label: 'Clash handling',
  type: 'fixedCollection',
  groups: [
    {
      name: 'values',
      label: 'Values',
      fields: [
        { name: 'resolveClash', label: 'When field values clash', type: 'string', default: 'addSuffix' },
        {
          name: 'mergeMode',
          label: 'Merging nested fields',
          type: 'options',
          default: 'deepMerge',
          options: [choice('deepMerge', 'Deep merge'), choice('shallowMerge', 'Shallow merge')],
        },
        { name: 'overrideEmpty', label: 'Minimize empty fields', type: 'boolean', default: false },
      ],
    },
  ],
};
const OPTIONS: readonly ParameterDescriptor[] = [
  CLASH,
  { name: 'disableDotNotation', label: 'Disable dot notation', type: 'boolean', default: false },
  { name: 'fuzzyCompare', label: 'Fuzzy compare', type: 'boolean', default: false },
  { name: 'includeUnpaired', label: 'Include any unpaired items', type: 'boolean', default: false },
  {
    name: 'multipleMatches',
    label: 'Multiple matches',
    type: 'options',
    default: 'all',
    options: [choice('all', 'All'), choice('first', 'First match')],
  },
];

const BY_FIELDS: Conditions = { mode: ['combine'], combineBy: ['combineByFields'] };
const CHOOSES: Conditions = { mode: ['chooseBranch'] };
const PAIRS: ParameterDescriptor = {
  name: 'mergeByFields',
  label: 'Fields to match',
  type: 'fixedCollection',
  multiple: true,
  default: {},
  groups: [{ name: 'values', label: 'Fields', fields: FIELD_PAIRS }],
};
const JOIN: ParameterDescriptor = {
  name: 'joinMode',
  label: 'Output type',
  type: 'options',
  default: 'keepMatches',
  options: JOIN_MODES,
};
const DATA_FROM: ParameterDescriptor = {
  name: 'outputDataFrom',
  label: 'Output data from',
  type: 'options',
  default: 'both',
  options: [choice('both', 'Both'), choice('input1', 'Input 1'), choice('input2', 'Input 2')],
};
/** Parameters of versions 2 and 3, which moved them below another one. */
const inBoth = (one: ParameterDescriptor, older: Conditions, newer: Conditions): readonly ParameterDescriptor[] => [
  { ...one, since: 2, until: 2.1, shownWhen: { mode: ['combine'], combinationMode: ['mergeByFields'], ...older } },
  { ...one, since: 3, shownWhen: { ...BY_FIELDS, ...newer } },
];
const LONE_SIDES: Conditions = { joinMode: ['keepMatches', 'keepNonMatches'] };

/** Combines several inputs. */
export const merge: KindDescriptor = {
  kind: 'merge',
  label: 'Merge',
  description: 'Merges the data of several inputs once all have arrived.',
  versions: [1, 2, 2.1, 3, 3.1, 3.2],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['Input 1', 'Input 2'],
  outputs: ['main'],
  ports: [{ since: 3, inputsBy: 'numberInputs' }],
  credentials: [],
  parameters: withHelp(MERGE_HELP, [
    {
      name: 'mode',
      label: 'Mode',
      type: 'options',
      default: 'append',
      until: 1,
      options: [
        choice('append', 'Append'),
        choice('keepKeyMatches', 'Keep matches'),
        choice('mergeByIndex', 'Position'),
        choice('mergeByKey', 'Merge by key'),
        choice('multiplex', 'Cartesian product'),
        choice('passThrough', 'Pass-through'),
        choice('removeKeyMatches', 'Remove key matches'),
        choice('wait', 'Wait'),
      ],
    },
    {
      name: 'join',
      label: 'Join',
      type: 'options',
      default: 'left',
      until: 1,
      shownWhen: { mode: ['mergeByIndex'] },
      options: [choice('inner', 'Inner'), choice('left', 'Left'), choice('outer', 'Outer')],
    },
    {
      name: 'propertyName1',
      label: 'Input 1 field',
      type: 'string',
      default: '',
      until: 1,
      shownWhen: { mode: ['keepKeyMatches', 'mergeByKey', 'removeKeyMatches'] },
    },
    {
      name: 'propertyName2',
      label: 'Input 2 field',
      type: 'string',
      default: '',
      until: 1,
      shownWhen: { mode: ['keepKeyMatches', 'mergeByKey', 'removeKeyMatches'] },
    },
    {
      name: 'output',
      label: 'Output data',
      type: 'options',
      default: 'input1',
      until: 1,
      shownWhen: { mode: ['passThrough'] },
      options: [choice('input1', 'Input 1'), choice('input2', 'Input 2')],
    },
    {
      name: 'overwrite',
      label: 'Overwrite',
      type: 'options',
      default: 'always',
      until: 1,
      shownWhen: { mode: ['mergeByKey'] },
      options: [choice('always', 'Always'), choice('blank', 'If blank'), choice('undefined', 'If missing')],
    },
    {
      name: 'mode',
      label: 'Mode',
      type: 'options',
      default: 'append',
      since: 2,
      until: 2.1,
      options: [choice('append', 'Append'), choice('combine', 'Combine'), choice('chooseBranch', 'Choose a branch')],
    },
    {
      name: 'combinationMode',
      label: 'Combine',
      type: 'options',
      default: 'mergeByFields',
      since: 2,
      until: 2.1,
      shownWhen: { mode: ['combine'] },
      options: [
        choice('mergeByFields', 'Matching fields'),
        choice('mergeByPosition', 'Position'),
        choice('multiplex', 'Cartesian product'),
      ],
    },
    {
      name: 'mode',
      label: 'Mode',
      type: 'options',
      default: 'append',
      since: 3,
      options: [
        choice('append', 'Append'),
        choice('combine', 'Combine'),
        {
          value: 'combineBySql',
          label: 'SQL query',
          refused: 'Combining by SQL is not supported: combine by matching fields or by position instead.',
        },
        choice('chooseBranch', 'Choose a branch'),
      ],
    },
    {
      name: 'combineBy',
      label: 'Combine',
      type: 'options',
      default: 'combineByFields',
      since: 3,
      shownWhen: { mode: ['combine'] },
      options: [
        choice('combineByFields', 'Matching fields'),
        choice('combineByPosition', 'Position'),
        choice('combineAll', 'Cartesian product'),
      ],
    },
    {
      name: 'query',
      label: 'Query',
      type: 'string',
      default: '',
      since: 3,
      shownWhen: { mode: ['combineBySql'] },
      help: 'SQL is not supported: activation fails.',
      editor: 'sql',
      placeholder: 'SELECT * FROM input1 LEFT JOIN input2 ON input1.id = input2.id',
    },
    {
      name: 'advanced',
      label: 'Fields to match have different names',
      type: 'boolean',
      default: false,
      since: 3,
      shownWhen: BY_FIELDS,
    },
    {
      name: 'fieldsToMatchString',
      label: 'Fields to match',
      type: 'string',
      default: '',
      since: 3,
      shownWhen: { ...BY_FIELDS, advanced: [false] },
      placeholder: 'id, name',
    },
    ...inBoth(PAIRS, {}, { advanced: [true] }),
    ...inBoth(JOIN, {}, {}),
    ...inBoth(DATA_FROM, LONE_SIDES, LONE_SIDES),
    {
      name: 'numberInputs',
      label: 'Number of inputs',
      type: 'number',
      default: 2,
      since: 3,
      shownWhen: { mode: ['append', 'chooseBranch'] },
    },
    {
      name: 'numberInputs',
      label: 'Number of inputs',
      type: 'number',
      default: 2,
      since: 3,
      shownWhen: { mode: ['combine'], combineBy: ['combineByPosition'] },
    },
    {
      name: 'chooseBranchMode',
      label: 'Output type',
      type: 'options',
      default: 'waitForBoth',
      since: 2,
      until: 2.1,
      shownWhen: CHOOSES,
      options: [choice('waitForBoth', 'Wait for both inputs to arrive')],
    },
    {
      name: 'chooseBranchMode',
      label: 'Output type',
      type: 'options',
      default: 'waitForAll',
      since: 3,
      shownWhen: CHOOSES,
      options: [choice('waitForAll', 'Wait for all inputs to arrive')],
    },
    {
      name: 'output',
      label: 'Output',
      type: 'options',
      default: 'input1',
      since: 2,
      until: 2.1,
      shownWhen: CHOOSES,
      options: [choice('input1', 'Input 1'), choice('input2', 'Input 2'), choice('empty', 'A single, empty item')],
    },
    {
      name: 'output',
      label: 'Output',
      type: 'options',
      default: 'specifiedInput',
      since: 3,
      shownWhen: CHOOSES,
      options: [choice('specifiedInput', 'Data of specified input'), choice('empty', 'A single, empty item')],
    },
    {
      name: 'useDataOfInput',
      label: 'Use data of input',
      type: 'string',
      default: '1',
      since: 3,
      shownWhen: { ...CHOOSES, output: ['specifiedInput'] },
    },
    { name: 'options', label: 'Options', type: 'collection', default: {}, since: 2, fields: OPTIONS },
  ]),
};
