import {
  booleanField,
  isExpression,
  isJsonObject,
  kindOf,
  listField,
  objectField,
  readDefinition,
  readFormFields,
  textField,
  versionOf,
  type FormField,
  type Json,
  type JsonObject,
  type NodeDefinition,
} from '@weft/node-catalogue';
import { describeKind, versionOfForm } from '@weft/nodes/descriptors';
import type { DefinitionJson, McpTool, McpTrigger } from '../workflows/workflow';

/** In order of preference, if a workflow has several. */
const TRIGGERS: readonly McpTrigger[] = ['executeWorkflowTrigger', 'webhook', 'formTrigger'];

const MAX_DESCRIPTION = 1_000;
/** A larger schema would take the context of a model; any arguments are accepted instead. */
const MAX_SCHEMA_BYTES = 16_000;
const MAX_INPUTS = 100;

const ANYTHING: JsonObject = { type: 'object', additionalProperties: true };

const objectOf = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: 'object',
  properties,
  ...(required.length === 0 ? {} : { required: [...required] }),
  additionalProperties: false,
});

const typeOf = (value: Json): JsonObject => {
  if (value === null) return {};
  if (Array.isArray(value)) return { type: 'array' };
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' ? { type } : { type: 'object' };
};

const parsed = (text: string): Json | undefined => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const exampleSchema = (text: string): JsonObject => {
  const example = isExpression(text) ? undefined : parsed(text);
  if (!isJsonObject(example)) return ANYTHING;
  return objectOf(Object.fromEntries(Object.entries(example).map(([name, value]) => [name, typeOf(value)])));
};

/** The declared inputs of a trigger. A missing one is null in the run, so none is required. */
const callSchema = (node: NodeDefinition): JsonObject => {
  const descriptor = describeKind('executeWorkflowTrigger');
  if (descriptor === undefined || versionOf(node, descriptor) < 1.1) return ANYTHING;
  const { parameters } = node;
  const source = textField(parameters, 'inputSource') ?? 'workflowInputs';
  if (source === 'jsonExample') return exampleSchema(textField(parameters, 'jsonExample') ?? '{}');
  const values = listField(objectField(parameters, 'workflowInputs'), 'values');
  if (source !== 'workflowInputs' || values.length === 0 || values.length > MAX_INPUTS) return ANYTHING;
  const fields = values.flatMap((value): [string, JsonObject][] => {
    const name = textField(value, 'name') ?? '';
    const type = textField(value, 'type') ?? 'string';
    return name === '' ? [] : [[name, type === 'any' ? {} : { type }]];
  });
  return objectOf(Object.fromEntries(fields));
};

const webhookSchema = ({ parameters }: NodeDefinition): JsonObject => {
  const names = (textField(parameters, 'path') ?? '')
    .split('/')
    .flatMap((part) => (/^:./.test(part) ? part.slice(1) : []));
  const params = Object.fromEntries(names.map((name): [string, JsonObject] => [name, { type: 'string' }]));
  return objectOf(
    {
      body: { description: 'The body of the request, as JSON.' },
      query: { type: 'object', description: 'Query parameters.', additionalProperties: true },
      ...(names.length === 0 ? {} : { params: { ...objectOf(params, names), description: 'Parts of the path.' } }),
    },
    names.length === 0 ? [] : ['params'],
  );
};

const fieldSchema = ({ type, options, multiple, label }: FormField): JsonObject => {
  const choice: JsonObject = options.length === 0 ? { type: 'string' } : { type: 'string', enum: [...options] };
  const value: JsonObject = multiple ? { type: 'array', items: choice } : type === 'number' ? { type } : choice;
  return { ...value, ...(label === '' ? {} : { description: label }) };
};

/** The fields of a form. Files cannot be sent. */
const formSchema = (node: NodeDefinition): JsonObject => {
  const values = listField(objectField(node.parameters, 'formFields'), 'values');
  const fields = readFormFields(values, versionOfForm(node)).filter(
    ({ type, name }) => name !== '' && type !== 'html' && type !== 'file',
  );
  return objectOf(
    Object.fromEntries(fields.map((one): [string, JsonObject] => [one.name, fieldSchema(one)])),
    fields.filter(({ required }) => required).map(({ name }) => name),
  );
};

const SCHEMAS: Readonly<Record<McpTrigger, (node: NodeDefinition) => JsonObject>> = {
  executeWorkflowTrigger: callSchema,
  webhook: webhookSchema,
  formTrigger: formSchema,
};

const schemaText = (schema: JsonObject): string => {
  const text = JSON.stringify(schema);
  return Buffer.byteLength(text) <= MAX_SCHEMA_BYTES ? text : JSON.stringify(ANYTHING);
};

/** The definition as a tool of MCP clients; undefined unless its settings make it one and it has a trigger for it. */
export const mcpToolOf = (definition: DefinitionJson): McpTool | undefined => {
  if (booleanField(objectField(definition, 'settings'), 'availableInMCP') !== true) return undefined;
  const enabled = readDefinition({ ...definition }).nodes.filter((node) => node.disabled !== true);
  for (const trigger of TRIGGERS) {
    const node = enabled.find(({ type }) => kindOf(type) === trigger);
    if (node === undefined) continue;
    const description = (node.notes ?? '').trim() || (textField(definition, 'description') ?? '').trim();
    return {
      node: node.name,
      trigger,
      description: description.slice(0, MAX_DESCRIPTION),
      inputSchema: schemaText(SCHEMAS[trigger](node)),
    };
  }
  return undefined;
};
