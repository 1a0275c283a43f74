import type { Conditions, KindDescriptor, OptionDescriptor, ParameterDescriptor } from '@weft/node-catalogue';
import { choice, flag, text } from '../descriptors/build-parameters';
import { withHelp } from '../descriptors/with-help';

const HELP = {
  resource: 'What to work on.',
  operation: 'The operation to perform, once for each item.',
  workflowId: 'The workflow: an object with `mode` (id, list or url) and `value`, or its id as a string.',
  workflowObject:
    'The workflow as JSON, with `name`, `nodes`, `connections` and `settings`; other fields are left out.',
  additionalFields: 'Further values.',
  'additionalFields.versionId': 'The version to publish. On this instance it must be the current one.',
  'additionalFields.name': 'Name of the published version. No effect on this instance.',
  'additionalFields.description': 'Description of the published version. No effect on this instance.',
  versionId: 'Id of the version. On this instance it must be the current one.',
  executionId: 'Id of the execution.',
  credentialId: 'Id of the credential.',
  credentialTypeName: 'For example httpHeaderAuth.',
  name: 'Name of the new credential.',
  data: 'The data of the credential as a JSON object.',
  returnAll: 'Whether to return all results, up to 100 pages.',
  limit: 'Maximum number of results if not all are returned, 1 to 250.',
  filters: 'Only results that match all set filters.',
  'filters.activeWorkflows': 'Whether to return only active workflows.',
  'filters.tags': 'Comma-separated tags, all of which the workflow must have.',
  'filters.name': 'Part of the name.',
  'filters.projectId': 'Project of the workflow, or the user that owns it.',
  'filters.excludePinnedData': 'Whether to leave out pinned data.',
  'filters.workflowId': 'Workflow of the executions, like the parameter `workflowId`.',
  'filters.status': 'Status of the executions.',
  options: 'Additional options.',
  'options.activeWorkflows': 'Whether to include the data of the nodes.',
  additionalOptions: 'Options of the audit.',
  'additionalOptions.categories': 'Categories of risks. Default: all.',
  'additionalOptions.daysAbandonedWorkflow': 'Number of days without a run after which a workflow counts as abandoned.',
} as const;

const on = (resource: string, ...operation: string[]): { readonly shownWhen: Conditions } => ({
  shownWhen: { resource: [resource], operation },
});
const operations = (resource: string, initial: string, choices: readonly OptionDescriptor[]): ParameterDescriptor => ({
  name: 'operation',
  label: 'Operation',
  type: 'options',
  default: initial,
  shownWhen: { resource: [resource] },
  options: choices,
});
const json = (name: string, label: string, initial: string, shown: { readonly shownWhen: Conditions }) =>
  ({ name, label, type: 'json', editor: 'json', default: initial, required: true, ...shown }) as const;
const page = (resource: string, returnsAll: boolean): ParameterDescriptor[] => [
  { ...flag('returnAll', 'Return all', returnsAll), ...on(resource, 'getAll') },
  {
    name: 'limit',
    label: 'Limit',
    type: 'number',
    default: 100,
    shownWhen: { resource: [resource], operation: ['getAll'], returnAll: [false] },
  },
];
const collection = (
  name: string,
  label: string,
  shown: { readonly shownWhen: Conditions },
  fields: readonly ParameterDescriptor[],
): ParameterDescriptor => ({ name, label, type: 'collection', default: {}, ...shown, fields });

const WORKFLOW_ID = text('workflowId', 'Workflow', '', { required: true, reference: 'workflow' });
const DETAILS = [flag('activeWorkflows', 'Include execution details')];

/** Calls the API of this instance or another one. */
export const n8n: KindDescriptor = {
  kind: 'n8n',
  label: 'n8n',
  description: 'Lists, reads, creates, changes and deletes workflows, executions and credentials of an instance.',
  versions: [1],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [{ type: 'n8nApi', required: false }],
  differs: [
    'Without a credential, or with one whose `baseUrl` is empty or a URL of this instance, the node works on ' +
      'this instance, with the current rights of the owner of the workflow. With any other `baseUrl` it ' +
      'sends requests to the API of n8n at that URL.',
    'A list has at most 100 pages. With a limit, pages are read until the list has that many results.',
    'This instance has no published versions, credential schemas or risk reports: `getVersion` returns the ' +
      'current version, and `getSchema` and `generate` fail.',
    '`requestOptions` has no effect.',
    'JSON parameters also accept objects.',
    'A run that deletes its own execution is cancelled. A run whose workflow is deleted continues to its end.',
  ],
  parameters: withHelp(HELP, [
    {
      name: 'resource',
      label: 'Resource',
      type: 'options',
      default: 'workflow',
      options: [
        choice('audit', 'Audit'),
        choice('credential', 'Credential'),
        choice('execution', 'Execution'),
        choice('workflow', 'Workflow'),
      ],
    },
    operations('workflow', 'getAll', [
      choice('activate', 'Publish'),
      choice('create', 'Create'),
      choice('deactivate', 'Unpublish'),
      choice('delete', 'Delete'),
      choice('get', 'Get'),
      choice('getAll', 'Get many'),
      choice('getVersion', 'Get version'),
      choice('update', 'Update'),
    ]),
    operations('audit', 'generate', [choice('generate', 'Generate')]),
    operations('credential', 'create', [
      choice('create', 'Create'),
      choice('delete', 'Delete'),
      choice('getSchema', 'Get schema'),
    ]),
    operations('execution', 'getAll', [choice('get', 'Get'), choice('getAll', 'Get many'), choice('delete', 'Delete')]),
    { ...WORKFLOW_ID, ...on('workflow', 'activate', 'deactivate', 'delete', 'get', 'getVersion', 'update') },
    collection('additionalFields', 'Additional fields', on('workflow', 'activate'), [
      text('versionId', 'Version ID'),
      text('name', 'Name'),
      text('description', 'Description'),
    ]),
    json(
      'workflowObject',
      'Workflow object',
      '{ "name": "My workflow", "nodes": [], "connections": {}, "settings": {} }',
      on('workflow', 'create'),
    ),
    json('workflowObject', 'Workflow object', '', on('workflow', 'update')),
    text('versionId', 'Version ID', '', { required: true, ...on('workflow', 'getVersion') }),
    ...page('workflow', true),
    // Fields without defaults: a filter that is not set does not apply.
    collection('filters', 'Filters', on('workflow', 'getAll'), [
      { name: 'activeWorkflows', label: 'Return only published workflows', type: 'boolean' },
      text('tags', 'Tags'),
      text('name', 'Name'),
      text('projectId', 'Project ID'),
      flag('excludePinnedData', 'Exclude pinned data'),
    ]),
    text('executionId', 'Execution ID', '', { required: true, ...on('execution', 'get', 'delete') }),
    ...page('execution', false),
    collection('filters', 'Filters', on('execution', 'getAll'), [
      text('workflowId', 'Workflow', '', { reference: 'workflow' }),
      {
        name: 'status',
        label: 'Status',
        type: 'options',
        options: [choice('error', 'Error'), choice('success', 'Success'), choice('waiting', 'Waiting')],
      },
    ]),
    collection('options', 'Options', on('execution', 'get', 'getAll'), DETAILS),
    text('name', 'Name', '', { required: true, ...on('credential', 'create') }),
    text('credentialTypeName', 'Credential type', '', {
      required: true,
      ...on('credential', 'create', 'getSchema'),
      placeholder: 'httpHeaderAuth',
    }),
    json('data', 'Data', '', on('credential', 'create')),
    text('credentialId', 'Credential ID', '', {
      required: true,
      ...on('credential', 'delete'),
      reference: 'credential',
    }),
    collection('additionalOptions', 'Additional options', { shownWhen: { resource: ['audit'] } }, [
      {
        name: 'categories',
        label: 'Categories',
        type: 'multiOptions',
        default: [],
        options: ['credentials', 'database', 'filesystem', 'instance', 'nodes'].map((value) => choice(value, value)),
      },
      { name: 'daysAbandonedWorkflow', label: 'Days abandoned workflow', type: 'number', default: 90 },
    ]),
  ]),
};
