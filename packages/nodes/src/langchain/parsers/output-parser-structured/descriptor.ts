import type { KindDescriptor } from '@weft/node-catalogue';
import { choice, flag } from '../../../descriptors/build-parameters';
import { withHelp } from '../../../descriptors/with-help';
import { ANSWER_SCHEMA, FIX_PROMPT, SCHEMA_TEXT } from '../descriptor-texts';

/** Makes a model answer in the form of a JSON Schema. */
export const outputParserStructured: KindDescriptor = {
  kind: 'langchain.outputParserStructured',
  label: 'Structured output parser',
  description: 'Makes a model answer as JSON in a given form, and checks the answer.',
  versions: [1, 1.1, 1.2, 1.3],
  groups: ['transform'],
  isTrigger: false,
  inputs: [],
  outputs: [],
  provides: [{ type: 'ai_outputParser' }],
  accepts: [{ type: 'ai_languageModel', label: 'Model', required: true, max: 1, shownWhen: { autoFix: [true] } }],
  credentials: [],
  parameters: withHelp(
    {
      schemaType: 'Whether the form is given by an example or by a JSON Schema.',
      jsonSchemaExample: 'JSON like the answers. From version 1.3 on, all of its fields are required.',
      inputSchema: 'JSON Schema of the answers.',
      jsonSchema: 'JSON Schema of the answers.',
      autoFix: 'If an answer does not fit, a model is asked once to correct it.',
      customizeRetryPrompt: 'Uses the prompt below for corrections.',
      prompt: 'Prompt for corrections, with `{instructions}`, `{completion}` and `{error}`.',
    },
    [
      {
        name: 'schemaType',
        label: 'Schema type',
        type: 'options',
        default: 'fromJson',
        since: 1.2,
        options: [choice('fromJson', 'From an example'), choice('manual', 'JSON Schema')],
      },
      ...ANSWER_SCHEMA.map((one) => ({ ...one, since: 1.2 })),
      {
        name: 'jsonSchema',
        label: 'JSON Schema',
        type: 'json',
        editor: 'json',
        default: SCHEMA_TEXT,
        required: true,
        until: 1.1,
      },
      flag('autoFix', 'Correct answers'),
      { ...flag('customizeRetryPrompt', 'Custom prompt'), shownWhen: { autoFix: [true] } },
      {
        name: 'prompt',
        label: 'Prompt for corrections',
        type: 'string',
        editor: 'multiline',
        default: FIX_PROMPT,
        shownWhen: { autoFix: [true], customizeRetryPrompt: [true] },
      },
    ],
  ),
  differs: [
    'JSON with text around it, and an answer without the outer field `output`, are read too.',
    'In versions 1.1 and 1.2, an answer without any of the fields fails; n8n gives an empty object.',
    'References within a schema (`$ref`) are checked; n8n accepts any value there. Other references are refused.',
    'A regular expression whose check can take very long is refused.',
  ],
};
