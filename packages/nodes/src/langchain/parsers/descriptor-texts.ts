import type { ParameterDescriptor } from '@weft/node-catalogue';

/** The example of forms that give one. Nodes without one use its fields, which are those of n8n. */
const EXAMPLE = '{\n  "state": "Bavaria",\n  "cities": ["Munich", "Nuremberg"]\n}';

/** The JSON Schema of `EXAMPLE`. */
export const SCHEMA_TEXT = JSON.stringify(
  {
    type: 'object',
    properties: { state: { type: 'string' }, cities: { type: 'array', items: { type: 'string' } } },
  },
  null,
  2,
);

/** The form of an answer by an example or by JSON Schema. */
export const ANSWER_SCHEMA: readonly ParameterDescriptor[] = [
  {
    name: 'jsonSchemaExample',
    label: 'JSON example',
    type: 'json',
    editor: 'json',
    default: EXAMPLE,
    shownWhen: { schemaType: ['fromJson'] },
  },
  {
    name: 'inputSchema',
    label: 'JSON Schema',
    type: 'json',
    editor: 'json',
    default: SCHEMA_TEXT,
    shownWhen: { schemaType: ['manual'] },
  },
];

/** The prompt of the call that corrects an answer. */
export const FIX_PROMPT = [
  'An answer to the following instructions has another form than they ask for.',
  '',
  'Instructions:',
  '{instructions}',
  '',
  'Answer:',
  '{completion}',
  '',
  'Fault:',
  '{error}',
  '',
  'Write the answer again, so that it follows the instructions. Keep its content. Write nothing else.',
].join('\n');
