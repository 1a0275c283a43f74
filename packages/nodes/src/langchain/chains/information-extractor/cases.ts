import type { KindCases } from '../../../testing/cases/node-case';

const items = [{ t: 'Two cats' }];
const attributes = { attributes: [{ name: 'count', type: 'number', description: 'How many', required: true }] };

export const informationExtractorCases: KindCases = {
  kind: 'langchain.informationExtractor',
  cases: [
    {
      it: 'gives the attributes',
      versions: [1, 1.1, 1.2],
      run: { items, parameters: { text: '={{ $json.t }}', attributes }, model: { answers: ['{"count":2,"x":1}'] } },
      gives: [[{ output: { count: 2 } }]],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'gives fields like those of an example',
      versions: [1, 1.1, 1.2],
      run: {
        items,
        parameters: { text: '={{ $json.t }}', schemaType: 'fromJson', jsonSchemaExample: '{"count":1}' },
        model: { answers: ['```json\n{"count":2}\n```'] },
      },
      gives: [[{ output: { count: 2 } }]],
    },
    {
      it: 'gives what fits a schema, after a correction',
      versions: [1, 1.1, 1.2],
      run: {
        items,
        parameters: {
          text: '={{ $json.t }}',
          schemaType: 'manual',
          inputSchema: '{"type":"object","properties":{"count":{"type":"integer"}}}',
          options: { systemPromptTemplate: 'Count.' },
        },
        model: { answers: ['{"count":"two"}', '{"count":2}'] },
      },
      gives: [[{ output: { count: 2 } }]],
    },
    {
      it: 'requires text',
      versions: [1, 1.1, 1.2],
      run: { items, parameters: { attributes }, model: { answers: ['{}'] } },
      fails: 'There is no text to extract from',
    },
  ],
};
