import type { KindDescriptor } from '@weft/node-catalogue';
import { withHelp } from '../descriptors/with-help';

const HELP = {
  mode: 'Whether the code runs once for all items or once for each item.',
  language:
    'JavaScript, or Python in one of two dialects: "python" has the names of JavaScript with `_` for `$`, ' +
    '"pythonNative" has only the items.',
  pythonCode:
    'The body of a function that returns a list of items: [{"json": {…}}]. With `language` "python" the input items ' +
    'are in _input.all(), with "pythonNative" they are in _items, or in _item if the code runs once for each.',
} as const;

const AI_HELP = {
  instructions: 'Description of the code for readers of the workflow. No model is called.',
  codeGeneratedForPrompt: 'The instructions that the code was written for.',
  jsCode: 'As in a Code node that runs once for all items.',
} as const;

/** Runs the user's JavaScript or Python. */
export const code: KindDescriptor = {
  kind: 'code',
  label: 'Code',
  description: 'Runs custom JavaScript or Python in a sandbox without access to network, files or environment.',
  versions: [1, 2],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  differs: [
    'Code runs without access to network, files and environment; time and memory are limited.',
    'Python is that of Pyodide (3.14). It can import the standard library, without threads, sockets and processes; ' +
      'packages such as `pandas` or `numpy` cannot be installed. With `language` ' +
      '"pythonNative" n8n refuses all imports unless its administrator allows them; Weft does not.',
    'Objects of JavaScript in Python (`language` "python") are dictionaries and lists with the attributes of their ' +
      'fields, and `.to_py()`. Of the modules `js` and `pyodide.ffi` there are `Object`, `JSON`, `Array`, `console`, ' +
      '`JsProxy` and `to_js`; `_jmespath` and `_evaluateExpression` are refused.',
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
        { value: 'python', label: 'Python' },
        { value: 'pythonNative', label: 'Python (native)' },
      ],
    },
    {
      name: 'pythonCode',
      label: 'Python',
      type: 'string',
      default: '',
      since: 2,
      shownWhen: { language: ['python', 'pythonNative'] },
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
