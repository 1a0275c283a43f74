import type { Conditions, KindDescriptor, ParameterDescriptor } from '@weft/node-catalogue';

/** Fields of the descriptors of all tools. */
export const TOOL: Pick<KindDescriptor, 'groups' | 'isTrigger' | 'inputs' | 'outputs' | 'provides' | 'credentials'> = {
  groups: ['transform'],
  isTrigger: false,
  inputs: [],
  outputs: [],
  provides: [{ type: 'ai_tool' }],
  credentials: [],
};

/** The name of the function, in versions that do not take it from the node. */
export const nameParameter = (until: number): ParameterDescriptor => ({
  name: 'name',
  label: 'Name',
  type: 'string',
  default: '',
  until,
  placeholder: 'my_tool',
  help: 'Name of the function that the model calls: letters, digits and underscores.',
});

export const DESCRIPTION: ParameterDescriptor = {
  name: 'description',
  label: 'Description',
  type: 'string',
  default: '',
  editor: 'multiline',
  help: 'Tells the model what the tool does and when to use it.',
};

const SPECIFIED: Conditions = { specifyInputSchema: [true] };

/** Parameters that specify the schema of the arguments. */
export const SCHEMA_PARAMETERS: readonly ParameterDescriptor[] = [
  {
    name: 'specifyInputSchema',
    label: 'Specify input schema',
    type: 'boolean',
    default: false,
    help: 'Whether the model gives an object that matches a schema. Otherwise it gives one text.',
  },
  {
    name: 'schemaType',
    label: 'Schema type',
    type: 'options',
    default: 'fromJson',
    shownWhen: SPECIFIED,
    options: [
      { value: 'fromJson', label: 'From a JSON example' },
      { value: 'manual', label: 'JSON Schema' },
    ],
    help: 'How the schema is given.',
  },
  {
    name: 'jsonSchemaExample',
    label: 'JSON example',
    type: 'json',
    default: '{\n  "some_input": "some_value"\n}',
    editor: 'json',
    shownWhen: { ...SPECIFIED, schemaType: ['fromJson'] },
    help: 'An object with the fields of the input, and values of their types.',
  },
  {
    name: 'inputSchema',
    label: 'Input schema',
    type: 'json',
    default: '{\n  "type": "object",\n  "properties": {\n    "some_input": { "type": "string" }\n  }\n}',
    editor: 'json',
    shownWhen: { ...SPECIFIED, schemaType: ['manual'] },
    help: 'JSON Schema of an object. `pattern`, `format` and `uniqueItems` are shown to the model, but not checked.',
  },
];
