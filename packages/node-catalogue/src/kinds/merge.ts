import type { Conditions, KindDescriptor, ParameterDescriptor } from '../descriptor';
import { choice } from './build-parameters';
import { MERGE_HELP } from './merge-help';
import { withHelp } from './with-help';

const FIELD_PAIRS: readonly ParameterDescriptor[] = [
  { name: 'field1', label: 'Field of input 1', type: 'string', default: '' },
  { name: 'field2', label: 'Field of input 2', type: 'string', default: '' },
];
const JOIN_MODES = [
  choice('keepMatches', 'Keep matches'),
  choice('keepNonMatches', 'Keep what does not match'),
  choice('keepEverything', 'Keep everything'),
  choice('enrichInput1', 'Add to input 1'),
  choice('enrichInput2', 'Add to input 2'),
];
const CLASH: ParameterDescriptor = {
  name: 'clashHandling',
  label: 'When both have a field',
  type: 'fixedCollection',
  groups: [
    {
      name: 'values',
      label: 'Values',
      fields: [
        { name: 'resolveClash', label: 'Prefer', type: 'string', default: 'addSuffix' },
        {
          name: 'mergeMode',
          label: 'Depth',
          type: 'options',
          default: 'deepMerge',
          options: [choice('deepMerge', 'Nested fields too'), choice('shallowMerge', 'Top fields only')],
        },
        { name: 'overrideEmpty', label: 'Empty values lose', type: 'boolean', default: false },
      ],
    },
  ],
};
const OPTIONS: readonly ParameterDescriptor[] = [
  CLASH,
  { name: 'disableDotNotation', label: 'Dots in names mean nothing', type: 'boolean', default: false },
  { name: 'fuzzyCompare', label: 'Compare loosely', type: 'boolean', default: false },
  { name: 'includeUnpaired', label: 'Keep items without a partner', type: 'boolean', default: false },
  {
    name: 'multipleMatches',
    label: 'Matches to take',
    type: 'options',
    default: 'all',
    options: [choice('all', 'All'), choice('first', 'The first')],
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
  label: 'Keep',
  type: 'options',
  default: 'keepMatches',
  options: JOIN_MODES,
};
const DATA_FROM: ParameterDescriptor = {
  name: 'outputDataFrom',
  label: 'Data from',
  type: 'options',
  default: 'both',
  options: [choice('both', 'Both'), choice('input1', 'Input 1'), choice('input2', 'Input 2')],
};
/** Forms of versions 2 and 3, where a parameter moved below another one. */
const inBoth = (one: ParameterDescriptor, older: Conditions, newer: Conditions): readonly ParameterDescriptor[] => [
  { ...one, since: 2, until: 2.1, shownWhen: { mode: ['combine'], combinationMode: ['mergeByFields'], ...older } },
  { ...one, since: 3, shownWhen: { ...BY_FIELDS, ...newer } },
];
const LONE_SIDES: Conditions = { joinMode: ['keepMatches', 'keepNonMatches'] };

/** Brings several inputs together. */
export const merge: KindDescriptor = {
  kind: 'merge',
  label: 'Merge',
  description: 'Waits for its inputs and makes one list of them.',
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
        choice('append', 'One after the other'),
        choice('keepKeyMatches', 'Keep matches'),
        choice('mergeByIndex', 'By position'),
        choice('mergeByKey', 'By field'),
        choice('multiplex', 'All with all'),
        choice('passThrough', 'Pass one on'),
        choice('removeKeyMatches', 'Remove matches'),
        choice('wait', 'Wait only'),
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
      label: 'Field of input 1',
      type: 'string',
      default: '',
      until: 1,
      shownWhen: { mode: ['keepKeyMatches', 'mergeByKey', 'removeKeyMatches'] },
    },
    {
      name: 'propertyName2',
      label: 'Field of input 2',
      type: 'string',
      default: '',
      until: 1,
      shownWhen: { mode: ['keepKeyMatches', 'mergeByKey', 'removeKeyMatches'] },
    },
    {
      name: 'output',
      label: 'Pass on',
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
      options: [choice('always', 'Always'), choice('blank', 'If empty'), choice('undefined', 'If missing')],
    },
    {
      name: 'mode',
      label: 'Mode',
      type: 'options',
      default: 'append',
      since: 2,
      until: 2.1,
      options: [
        choice('append', 'One after the other'),
        choice('combine', 'Combine'),
        choice('chooseBranch', 'Choose a branch'),
      ],
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
        choice('mergeByFields', 'By fields'),
        choice('mergeByPosition', 'By position'),
        choice('multiplex', 'All with all'),
      ],
    },
    {
      name: 'mode',
      label: 'Mode',
      type: 'options',
      default: 'append',
      since: 3,
      options: [
        choice('append', 'One after the other'),
        choice('combine', 'Combine'),
        {
          value: 'combineBySql',
          label: 'By SQL',
          refused: 'Combining by SQL is not supported: combine by fields or by position instead.',
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
        choice('combineByFields', 'By fields'),
        choice('combineByPosition', 'By position'),
        choice('combineAll', 'All with all'),
      ],
    },
    {
      name: 'query',
      label: 'SQL',
      type: 'string',
      default: '',
      since: 3,
      shownWhen: { mode: ['combineBySql'] },
      help: 'SQL is not supported: activation refuses the mode.',
    },
    {
      name: 'advanced',
      label: 'Fields have different names',
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
      label: 'Go on',
      type: 'options',
      default: 'waitForAll',
      since: 2,
      shownWhen: CHOOSES,
      options: [choice('waitForAll', 'When all have come')],
    },
    {
      name: 'output',
      label: 'Give',
      type: 'options',
      default: 'input1',
      since: 2,
      until: 2.1,
      shownWhen: CHOOSES,
      options: [choice('input1', 'Input 1'), choice('input2', 'Input 2'), choice('empty', 'One empty item')],
    },
    {
      name: 'output',
      label: 'Give',
      type: 'options',
      default: 'specifiedInput',
      since: 3,
      shownWhen: CHOOSES,
      options: [choice('specifiedInput', 'A chosen input'), choice('empty', 'One empty item')],
    },
    {
      name: 'useDataOfInput',
      label: 'Input',
      type: 'string',
      default: '1',
      since: 3,
      shownWhen: { ...CHOOSES, output: ['specifiedInput'] },
    },
    { name: 'options', label: 'Options', type: 'collection', default: {}, since: 2, fields: OPTIONS },
  ]),
};
