import type { KindDescriptor, ParameterDescriptor } from '@weft/node-catalogue';
import { DESCRIPTION, nameParameter, SCHEMA_PARAMETERS, TOOL } from '../descriptor-parameters';

const VALUE_TYPES = [
  { value: 'stringValue', label: 'String' },
  { value: 'numberValue', label: 'Number' },
  { value: 'booleanValue', label: 'Boolean' },
  { value: 'arrayValue', label: 'Array' },
  { value: 'objectValue', label: 'Object' },
];

const valueField = (name: string, initial: string): ParameterDescriptor => ({
  name,
  label: 'Value',
  ...(name === 'objectValue' ? { type: 'json', editor: 'json' } : { type: 'string' }),
  default: initial,
  shownWhen: { type: [name] },
});

/** Another workflow as a tool. */
export const toolWorkflow: KindDescriptor = {
  ...TOOL,
  kind: 'langchain.toolWorkflow',
  label: 'Call workflow tool',
  description: 'Lets a model call another workflow and read what its last node returns.',
  versions: [1, 1.1, 1.2, 1.3, 2, 2.1, 2.2],
  differs: [
    'The run waits for a workflow that waits; n8n gives the model a placeholder.',
    'The called workflow gets the arguments of the model and the inputs of this node, not the fields of the item of ' +
      'the agent.',
    'The response is the whole first item; `responsePropertyName` has no effect, as in n8n.',
  ],
  parameters: [
    nameParameter(2.1),
    DESCRIPTION,
    {
      name: 'source',
      label: 'Source',
      type: 'options',
      default: 'database',
      options: [
        { value: 'database', label: 'Database' },
        { value: 'parameter', label: 'Define below' },
      ],
      help: 'Source of the workflow to call.',
    },
    {
      name: 'workflowId',
      label: 'Workflow ID',
      type: 'string',
      default: '',
      required: true,
      shownWhen: { source: ['database'] },
      reference: 'workflow',
      help: 'The id as a string, or an object that has it under `value`.',
    },
    {
      name: 'workflowJson',
      label: 'Workflow JSON',
      type: 'json',
      default: '',
      required: true,
      shownWhen: { source: ['parameter'] },
      editor: 'json',
      help: 'The workflow as a JSON string or as an object with `nodes` and `connections`.',
    },
    {
      name: 'workflowInputs',
      label: 'Workflow inputs',
      type: 'json',
      default: { mappingMode: 'defineBelow', value: {} },
      since: 2,
      shownWhen: { source: ['database'] },
      help:
        'Values of the declared inputs of the called workflow, under `value`. Those that the model gives are ' +
        '`$fromAI` calls.',
    },
    {
      name: 'responsePropertyName',
      label: 'Field to return',
      type: 'string',
      default: 'response',
      until: 1.2,
      help: 'Has no effect.',
    },
    {
      name: 'fields',
      label: 'Extra workflow inputs',
      type: 'fixedCollection',
      multiple: true,
      default: {},
      until: 1.3,
      help: 'Fields of the item that the called workflow begins with, next to `query`.',
      groups: [
        {
          name: 'values',
          label: 'Field',
          fields: [
            { name: 'name', label: 'Name', type: 'string', default: '' },
            { name: 'type', label: 'Type', type: 'options', default: 'stringValue', options: VALUE_TYPES },
            valueField('stringValue', ''),
            valueField('numberValue', ''),
            valueField('booleanValue', 'true'),
            valueField('arrayValue', ''),
            valueField('objectValue', '={}'),
          ],
        },
      ],
    },
    ...SCHEMA_PARAMETERS.map((one) => ({ ...one, until: 1.3 })),
  ],
};
