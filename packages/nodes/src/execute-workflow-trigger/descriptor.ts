import type { KindDescriptor } from '@weft/node-catalogue';
import { withHelp } from '../descriptors/with-help';

const TYPES = ['any', 'string', 'number', 'boolean', 'array', 'object'];

const HELP = {
  inputSource: "Which fields of the caller's items to pass on.",
  workflowInputs: 'The fields that the workflow expects. A missing field is null.',
  jsonExample: 'A JSON object whose names are the fields.',
  returnOutput:
    'Items to return to the caller if the last node ran several times. Since version 1.2 the items of all its runs.',
} as const;

/** Starts a workflow that another one calls. */
export const executeWorkflowTrigger: KindDescriptor = {
  kind: 'executeWorkflowTrigger',
  label: 'When executed by another workflow',
  description:
    'Starts a run when another workflow calls this one. Outputs the items of the call, with all of their ' +
    'fields or only the declared ones.',
  versions: [1, 1.1, 1.2],
  groups: ['trigger'],
  isTrigger: true,
  inputs: [],
  outputs: ['main'],
  credentials: [],
  parameters: withHelp(HELP, [
    {
      name: 'inputSource',
      label: 'Fields',
      type: 'options',
      default: 'workflowInputs',
      since: 1.1,
      options: [
        { value: 'workflowInputs', label: 'Define using fields below' },
        { value: 'jsonExample', label: 'Define using JSON example' },
        { value: 'passthrough', label: 'Accept all data' },
      ],
    },
    {
      name: 'workflowInputs',
      label: 'Workflow inputs',
      type: 'fixedCollection',
      multiple: true,
      default: {},
      since: 1.1,
      shownWhen: { inputSource: ['workflowInputs'] },
      groups: [
        {
          name: 'values',
          label: 'Field',
          fields: [
            { name: 'name', label: 'Name', type: 'string', default: '' },
            {
              name: 'type',
              label: 'Type',
              type: 'options',
              default: 'string',
              options: TYPES.map((value) => ({ value, label: value })),
            },
          ],
        },
      ],
    },
    {
      name: 'jsonExample',
      label: 'Example',
      type: 'json',
      default: '{}',
      since: 1.1,
      shownWhen: { inputSource: ['jsonExample'] },
      editor: 'json',
    },
    {
      name: 'returnOutput',
      label: 'Items to return',
      type: 'options',
      default: 'lastRunOnly',
      until: 1.1,
      fixed: true,
      options: [
        { value: 'allRuns', label: 'All items from every run' },
        { value: 'lastRunOnly', label: 'Items from the last run only' },
      ],
    },
  ]),
};
