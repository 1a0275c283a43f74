import type { KindDescriptor } from '@weft/node-catalogue';
import { withHelp } from '../descriptors/with-help';

const HELP = {
  options: 'Additional options.',
  operation: 'The only value.',
  source: 'Source of the workflow to call.',
  workflowId:
    'The id as a string, or an object that has it under `value`. Evaluated for each item if each item is a ' +
    'separate call.',
  workflowJson:
    'The workflow as a JSON string or as an object with `nodes` and `connections`. It runs as a private ' +
    'version of the calling workflow.',
  workflowInputs:
    'Values of the declared inputs of the called workflow, under `value`; they override the fields of each ' +
    'item. Inputs marked as removed in `schema` are omitted.',
  mode: 'Whether to call once with all items, or once per item in sequence.',
  'options.waitForSubWorkflow':
    'If off, the node passes its input items on immediately and ignores the result of the called workflow.',
} as const;

export const executeWorkflow: KindDescriptor = {
  kind: 'executeWorkflow',
  label: 'Execute workflow',
  description:
    'Calls another workflow, once with all items or once per item, and outputs the first output of its last node.',
  versions: [1, 1.1, 1.2, 1.3, 1.4],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  differs: ['Workflows cannot be loaded from files or URLs.', 'Only the first output of the last node is returned.'],
  parameters: withHelp(HELP, [
    {
      name: 'operation',
      label: 'Operation',
      type: 'options',
      default: 'call_workflow',
      options: [{ value: 'call_workflow', label: 'Execute workflow' }],
    },
    {
      name: 'source',
      label: 'Workflow',
      type: 'options',
      default: 'database',
      options: [
        { value: 'database', label: 'Database' },
        { value: 'parameter', label: 'Define below' },
        {
          value: 'localFile',
          label: 'Local file',
          refused:
            'Workflows have no access to local files, so a workflow cannot be loaded from one. Store the ' +
            'workflow and ' +
            'set its id.',
        },
        {
          value: 'url',
          label: 'URL',
          refused:
            'A workflow cannot be loaded from a URL. Store the workflow and set its id, or fetch it with an HTTP ' +
            'Request node and pass it as a parameter.',
        },
      ],
    },
    {
      name: 'workflowId',
      label: 'Workflow ID',
      type: 'string',
      default: '',
      required: true,
      shownWhen: { source: ['database'] },
      reference: 'workflow',
    },
    {
      name: 'workflowJson',
      label: 'Workflow JSON',
      type: 'json',
      default: '',
      required: true,
      shownWhen: { source: ['parameter'] },
      editor: 'json',
    },
    {
      name: 'workflowInputs',
      label: 'Workflow inputs',
      type: 'json',
      default: { mappingMode: 'defineBelow', value: {} },
      since: 1.2,
      shownWhen: { source: ['database'] },
    },
    {
      name: 'mode',
      label: 'Mode',
      type: 'options',
      default: 'once',
      options: [
        { value: 'once', label: 'Run once with all items' },
        { value: 'each', label: 'Run once for each item' },
      ],
    },
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      fields: [
        { name: 'waitForSubWorkflow', label: 'Wait for sub-workflow completion', type: 'boolean', default: true },
      ],
    },
  ]),
};
