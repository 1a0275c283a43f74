import type { KindDescriptor } from '@weft/node-catalogue';
import { choice, flag } from '../../../descriptors/build-parameters';
import { AUTHENTICATION, CREDENTIALS, ENDPOINT, TIMEOUT, transport } from '../descriptor-parts';

/** One tool of an MCP server as a node. */
export const mcpClient: KindDescriptor = {
  kind: 'langchain.mcpClient',
  label: 'MCP client',
  description: 'Calls a tool of an MCP server for each item.',
  versions: [1, 1.1],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: CREDENTIALS,
  differs: [
    'Redirects to another host are refused, unless the credential allows the host.',
    'Forms do not list the tools of the server: write the name of the tool.',
  ],
  parameters: [
    transport('httpStreamable'),
    ENDPOINT,
    AUTHENTICATION,
    {
      name: 'tool',
      label: 'Tool',
      type: 'resourceLocator',
      default: { mode: 'id', value: '' },
      required: true,
      help: 'Name of the tool, or an object that has it under `value`.',
    },
    {
      name: 'inputMode',
      label: 'Input mode',
      type: 'options',
      default: 'manual',
      fixed: true,
      options: [choice('manual', 'Manual'), choice('json', 'JSON')],
      help: 'How the arguments are given.',
    },
    {
      name: 'parameters',
      label: 'Parameters',
      type: 'json',
      default: { mappingMode: 'defineBelow', value: null },
      shownWhen: { inputMode: ['manual'] },
      help: 'The arguments by name, under `value`.',
    },
    {
      name: 'jsonInput',
      label: 'JSON',
      type: 'json',
      default: '{\n  "my_field_1": "value",\n  "my_field_2": 1\n}\n',
      editor: 'json',
      shownWhen: { inputMode: ['json'] },
      help: 'The arguments as an object.',
    },
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      help: 'Additional options.',
      fields: [
        { ...flag('convertToBinary', 'Convert to files', true), help: 'Stores images and audio as files.' },
        TIMEOUT,
      ],
    },
  ],
};
