import type { KindDescriptor } from '../descriptor';
import { withHelp } from './with-help';

const NO_PYTHON = 'Python is not supported here. Write the code in JavaScript, and set `language` to "javaScript".';

const HELP = {
  mode: 'Once with all items at hand, or anew for each of them.',
  language: 'JavaScript is the only one that runs.',
} as const;

/** Runs the user's JavaScript. */
export const code: KindDescriptor = {
  kind: 'code',
  label: 'Code',
  description: 'Runs JavaScript of your own in a sandbox without network, files or environment.',
  versions: [1, 2],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  differs: [
    'Python is refused. JavaScript runs in QuickJS without network, files and environment; time and memory ' +
      'are limited.',
    '`require` gives `buffer`, `crypto`, `jmespath`, `luxon` and `url`; packages cannot be installed.',
  ],
  parameters: withHelp(HELP, [
    {
      name: 'mode',
      label: 'Run',
      type: 'options',
      default: 'runOnceForAllItems',
      options: [
        { value: 'runOnceForAllItems', label: 'Once for all items' },
        { value: 'runOnceForEachItem', label: 'Once for each item' },
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
      help: 'Python is not supported: activation refuses the language.',
    },
    {
      name: 'jsCode',
      label: 'JavaScript',
      type: 'string',
      help: 'Return a list of items: [{ json: { … } }]. The items are in $input.all().',
    },
  ]),
};
