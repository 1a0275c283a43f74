import type { KindCases } from '../../../testing/cases/node-case';

const SCHEMA = '{"type":"object","properties":{"n":{"type":"number"}},"required":["n"]}';
const items = [{ text: 'Here it is: {"output":{"n":1,"more":2}}' }];
const fixed = { model: { answers: ['{"output":{"n":2}}'] } };
const refused = "Model output doesn't fit required format";

export const outputParserStructuredCases: KindCases = {
  kind: 'langchain.outputParserStructured',
  cases: [
    {
      it: 'reads an answer that fits a schema',
      versions: [1],
      run: { items: [{ text: '{"n":1}' }], parameters: { jsonSchema: SCHEMA } },
      gives: [[{ parsed: { n: 1 } }]],
    },
    {
      it: 'reads an answer that fits a schema',
      versions: [1.1],
      run: { items, parameters: { jsonSchema: SCHEMA } },
      gives: [[{ parsed: { output: { n: 1 } } }]],
    },
    {
      it: 'reads an answer that fits a schema',
      versions: [1.2, 1.3],
      run: { items, parameters: { schemaType: 'manual', inputSchema: SCHEMA } },
      gives: [[{ parsed: { output: { n: 1 } } }]],
    },
    {
      it: 'reads an answer like an example',
      versions: [1.2, 1.3],
      run: { items, parameters: { jsonSchemaExample: '{"n":5}' } },
      gives: [[{ parsed: { output: { n: 1 } } }]],
    },
    {
      it: 'has an example by default',
      versions: [1.2, 1.3],
      run: { items: [{ text: '{"output":{"state":"a","cities":["b"]}}' }] },
      gives: [[{ parsed: { output: { state: 'a', cities: ['b'] } } }]],
    },
    {
      it: 'asks for a correction',
      versions: [1.2, 1.3],
      run: {
        ...fixed,
        items: [{ text: 'two' }],
        parameters: { schemaType: 'manual', inputSchema: SCHEMA, autoFix: true },
      },
      gives: [[{ parsed: { output: { n: 2 } } }]],
    },
    {
      it: 'refuses an answer that does not fit',
      versions: [1, 1.1, 1.2, 1.3],
      run: { items: [{ text: 'two' }] },
      fails: refused,
    },
    {
      it: 'refuses a schema that is not JSON',
      versions: [1, 1.1],
      run: { items, parameters: { jsonSchema: '{' } },
      fails: 'The field "JSON Schema" of "Sub-node" is not valid JSON',
    },
    {
      it: 'refuses a schema that is not JSON',
      versions: [1.2, 1.3],
      run: { items, parameters: { schemaType: 'manual', inputSchema: '{' } },
      fails: 'The field "JSON Schema" of "Sub-node" is not valid JSON',
    },
  ],
};
