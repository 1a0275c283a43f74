import type { KindDescriptor } from '../descriptor';
import { withHelp } from './with-help';

const HELP = {
  options: 'Less common settings.',
  operation: 'There is one.',
  source: 'Where the workflow to call comes from.',
  workflowId:
    'The id as text, or an object that has it under `value`. It may differ from item to item where each item ' +
    'is a call of its own.',
  workflowJson:
    'The workflow as JSON text or as an object with `nodes` and `connections`. It runs as a version of the ' +
    'calling workflow that nobody else sees.',
  workflowInputs:
    'Values of the inputs that the called workflow declares, under `value`; they are put over the fields of ' +
    'each item. Inputs that `schema` calls removed are left out.',
  mode: 'Whether all items are one call, or each item is a call of its own, one after the other.',
  'options.waitForSubWorkflow':
    'If not, the node gives its own items at once, and what becomes of the called workflow does not matter to it.',
} as const;

/** Calls another workflow. */
export const executeWorkflow: KindDescriptor = {
  kind: 'executeWorkflow',
  label: 'Call a workflow',
  description:
    'Calls another workflow, with all items at once or with each on its own, and gives what its last node ' +
    'gave on its first output.',
  versions: [1, 1.1, 1.2, 1.3],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  differs: ['Workflows are not read from files and addresses.', 'Only the first output of the last node comes back.'],
  parameters: withHelp(HELP, [
    {
      name: 'operation',
      label: 'Operation',
      type: 'options',
      default: 'call_workflow',
      options: [{ value: 'call_workflow', label: 'Call a workflow' }],
    },
    {
      name: 'source',
      label: 'Workflow',
      type: 'options',
      default: 'database',
      options: [
        { value: 'database', label: 'A stored one' },
        { value: 'parameter', label: 'The one given below' },
        {
          value: 'localFile',
          label: 'A file',
          refused:
            'Workflows do not see the files of the machine, so a workflow cannot be read from one. Store the ' +
            'workflow, and name it by its id.',
        },
        {
          value: 'url',
          label: 'An address',
          refused:
            'A workflow cannot be called by its address. Store the workflow, and name it by its id; or fetch ' +
            'it with an HTTP request and pass it as a parameter.',
        },
      ],
    },
    {
      name: 'workflowId',
      label: 'Id of the workflow',
      type: 'string',
      default: '',
      required: true,
      shownWhen: { source: ['database'] },
    },
    {
      name: 'workflowJson',
      label: 'Workflow as JSON',
      type: 'json',
      default: '',
      required: true,
      shownWhen: { source: ['parameter'] },
    },
    {
      name: 'workflowInputs',
      label: 'Inputs',
      type: 'json',
      default: { mappingMode: 'defineBelow', value: {} },
      since: 1.2,
      shownWhen: { source: ['database'] },
    },
    {
      name: 'mode',
      label: 'Call',
      type: 'options',
      default: 'once',
      options: [
        { value: 'once', label: 'Once, with all items' },
        { value: 'each', label: 'For each item' },
      ],
    },
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      fields: [{ name: 'waitForSubWorkflow', label: 'Wait for its end', type: 'boolean', default: true }],
    },
  ]),
};
