import type { KindDescriptor, ParameterDescriptor } from '@weft/node-catalogue';
import { choice, text } from '../descriptors/build-parameters';
import { withHelp } from '../descriptors/with-help';

const HELP = {
  icon: 'Type of the node whose icon an editor shows.',
  subtitle: 'Shown by an editor.',
  jsonOutput: 'An object, or an array of objects: an item for each.',
  executionDuration: 'Duration of the node, at most 60,000 ms.',
} as const;
const OUTPUT_HELP = {
  output: 'Which items the node outputs.',
  numberOfItems: 'Number of input items to output, from the first.',
} as const;

const EXAMPLE = '[\n  {\n  "my_field_1": "value",\n  "my_field_2": 1\n  }\n]';
const looks = (icon: string): readonly ParameterDescriptor[] => [
  text('icon', 'Icon', icon),
  text('subtitle', 'Subtitle'),
];
const json = (label: string): ParameterDescriptor => ({
  name: 'jsonOutput',
  label,
  type: 'json',
  default: EXAMPLE,
  editor: 'json',
});
const DURATION: ParameterDescriptor = {
  name: 'executionDuration',
  label: 'Duration (ms)',
  type: 'number',
  default: 150,
};

/** Simulates another node. */
export const simulate: KindDescriptor = {
  kind: 'simulate',
  label: 'Simulate',
  description: 'Simulates another node: outputs its input, or given items, after a given time.',
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
        choice('custom', 'Custom items'),
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

/** Simulates a trigger. */
export const simulateTrigger: KindDescriptor = {
  kind: 'simulateTrigger',
  label: 'Simulate trigger',
  description: 'Simulates a trigger in a run that is started manually or through the API: outputs given items.',
  versions: [1],
  groups: ['trigger'],
  isTrigger: true,
  inputs: [],
  outputs: ['main'],
  credentials: [],
  parameters: withHelp(HELP, [...looks('n8n-nodes-base.manualTrigger'), json('Output (JSON)'), DURATION]),
};
