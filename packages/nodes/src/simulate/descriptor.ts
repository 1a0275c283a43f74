import type { KindDescriptor, ParameterDescriptor } from '@weft/node-catalogue';
import { choice, text } from '../descriptors/build-parameters';
import { withHelp } from '../descriptors/with-help';

const HELP = {
  icon: 'Type of the node whose icon an editor shows.',
  subtitle: 'Shown by an editor.',
  jsonOutput: 'An object, or a list of objects: an item for each.',
  executionDuration: 'How long the node takes, at most 60,000 ms.',
} as const;
const OUTPUT_HELP = {
  output: 'Which items the node outputs.',
  numberOfItems: 'How many of the input items, counted from the first.',
} as const;

const EXAMPLE = '[\n  {\n  "my_field_1": "value",\n  "my_field_2": 1\n  }\n]';
const looks = (icon: string): readonly ParameterDescriptor[] => [
  text('icon', 'Icon', icon),
  text('subtitle', 'Subtitle'),
];
const json = (label: string): ParameterDescriptor => ({ name: 'jsonOutput', label, type: 'json', default: EXAMPLE });
const DURATION: ParameterDescriptor = {
  name: 'executionDuration',
  label: 'Duration (ms)',
  type: 'number',
  default: 150,
};

/** Stands for another node. */
export const simulate: KindDescriptor = {
  kind: 'simulate',
  label: 'Simulate',
  description: 'Stands for another node: outputs its input, or stated items, after a stated time.',
  versions: [1],
  groups: ['flow'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  parameters: withHelp({ ...HELP, ...OUTPUT_HELP }, [
    ...looks('n8n-nodes-base.noOp'),
    {
      name: 'output',
      label: 'Output',
      type: 'options',
      default: 'all',
      options: [
        choice('all', 'All input items'),
        choice('specify', 'Some of the input items'),
        choice('custom', 'Stated items'),
      ],
    },
    {
      name: 'numberOfItems',
      label: 'Number of items',
      type: 'number',
      default: 1,
      shownWhen: { output: ['specify'] },
    },
    { ...json('JSON'), shownWhen: { output: ['custom'] } },
    DURATION,
  ]),
};

/** Stands for a trigger. */
export const simulateTrigger: KindDescriptor = {
  kind: 'simulateTrigger',
  label: 'Simulate trigger',
  description: 'Stands for a trigger where a run is started manually or through the API: outputs stated items.',
  versions: [1],
  groups: ['trigger'],
  isTrigger: true,
  inputs: [],
  outputs: ['main'],
  credentials: [],
  parameters: withHelp(HELP, [...looks('n8n-nodes-base.manualTrigger'), json('Output (JSON)'), DURATION]),
};
