import type { KindDescriptor } from '@weft/node-catalogue';
import { choice, flag, text } from '../../../descriptors/build-parameters';
import { withHelp } from '../../../descriptors/with-help';
import { ANSWER_SCHEMA } from '../../parsers/descriptor-texts';
import { batching, batchingHelp, MODEL, systemPrompt } from '../../../descriptors/chain-parameters';

/** The default of the system prompt. */
export const EXTRACT_PROMPT = [
  'Extract information from the text that the user sends.',
  'Take it from the text only, and leave out values that the text does not have.',
].join('\n');

/** Extracts fields from text. */
export const informationExtractor: KindDescriptor = {
  kind: 'langchain.informationExtractor',
  label: 'Information extractor',
  description: 'Extracts fields from text by a model.',
  versions: [1, 1.1, 1.2],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  accepts: [MODEL],
  credentials: [],
  parameters: withHelp(
    {
      text: 'Text to extract from.',
      schemaType: 'Whether the fields are given by attributes, an example or a JSON Schema. Read for the first item.',
      jsonSchemaExample: 'JSON like the results. From version 1.2 on, all of its fields are required.',
      inputSchema: 'JSON Schema of the results.',
      attributes: 'Fields of the results.',
      options: 'Additional options.',
      'options.systemPromptTemplate': 'Tells the model what to do.',
      ...batchingHelp('options.'),
    },
    [
      text('text', 'Text', '', { editor: 'multiline' }),
      {
        name: 'schemaType',
        label: 'Fields from',
        type: 'options',
        default: 'fromAttributes',
        options: [
          choice('fromAttributes', 'Attributes'),
          choice('fromJson', 'An example'),
          choice('manual', 'JSON Schema'),
        ],
      },
      ...ANSWER_SCHEMA,
      {
        name: 'attributes',
        label: 'Attributes',
        type: 'fixedCollection',
        multiple: true,
        default: {},
        shownWhen: { schemaType: ['fromAttributes'] },
        groups: [
          {
            name: 'attributes',
            label: 'Attribute',
            fields: [
              text('name', 'Name'),
              {
                name: 'type',
                label: 'Type',
                type: 'options',
                default: 'string',
                options: [
                  choice('boolean', 'Boolean'),
                  choice('date', 'Date'),
                  choice('number', 'Number'),
                  choice('string', 'String'),
                ],
              },
              text('description', 'Description'),
              flag('required', 'Required'),
            ],
          },
        ],
      },
      {
        name: 'options',
        label: 'Options',
        type: 'collection',
        default: {},
        fields: [systemPrompt(EXTRACT_PROMPT), batching(1.1)],
      },
    ],
  ),
  differs: ['An optional attribute that the model gives as null is left out of the result.'],
};
