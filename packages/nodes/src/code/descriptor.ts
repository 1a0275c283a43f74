import type { KindDescriptor } from '@weft/node-catalogue';
import { withHelp } from '../descriptors/with-help';

const NO_PYTHON = 'Python is not supported here. Write the code in JavaScript, and set `language` to "javaScript".';

const HELP = {
  mode: 'Whether the code runs once for all items or once for each item.',
  language: 'Only JavaScript is supported.',
} as const;

const AI_HELP = {
  instructions: 'Description of the code for readers of the workflow. No model is called.',
  codeGeneratedForPrompt: 'The instructions that the code was written for.',
  jsCode: 'As in a Code node that runs once for all items.',
} as const;

/** Runs the user's JavaScript. */
export const code: KindDescriptor = {
  kind: 'code',
  label: 'Code',
  description: 'Runs custom JavaScript in a sandbox without access to network, files or environment.',
  versions: [1, 2],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  differs: [
    'Python is not supported. JavaScript runs without access to network, files and environment; ' +
      'time and memory are limited.',
    '`require` provides `buffer`, `crypto`, `jmespath`, `luxon` and `url`; packages cannot be installed.',
  ],
  parameters: withHelp(HELP, [
    {
      name: 'mode',
      label: 'Mode',
      type: 'options',
      default: 'runOnceForAllItems',
      options: [
        { value: 'runOnceForAllItems', label: 'Run once for all items' },
        { value: 'runOnceForEachItem', label: 'Run once for each item' },
      ],
    },
    {
      name: 'language',
      label: 'Language',
      type: 'options',
      default: 'javaScript',
      since: 2,
      options: [
        { value: 'javaScript', label: 'JavaScript' },
        { value: 'python', label: 'Python', refused: NO_PYTHON },
        { value: 'pythonNative', label: 'Python (native)', refused: NO_PYTHON },
      ],
    },
    {
      name: 'pythonCode',
      label: 'Python',
      type: 'string',
      default: '',
      since: 2,
      shownWhen: { language: ['python', 'pythonNative'] },
      help: 'Python is not supported: activation fails.',
      editor: 'multiline',
    },
    {
      name: 'jsCode',
      label: 'JavaScript',
      type: 'string',
      help: 'Return an array of items: [{ json: { … } }]. The input items are in $input.all().',
      editor: 'javascript',
    },
  ]),
};

/** Runs JavaScript that a model wrote when the workflow was created. */
export const aiTransform: KindDescriptor = {
  kind: 'aiTransform',
  label: 'AI transform',
  description: 'Runs the JavaScript that a model wrote into the node when the workflow was created.',
  versions: [1],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  differs: ['No code is generated: a node without code fails.'],
  parameters: withHelp(AI_HELP, [
    { name: 'instructions', label: 'Instructions', type: 'string', default: '', editor: 'multiline' },
    { name: 'codeGeneratedForPrompt', label: 'Generated for', type: 'string', default: '', editor: 'multiline' },
    { name: 'jsCode', label: 'JavaScript', type: 'string', default: '', editor: 'javascript' },
  ]),
};
