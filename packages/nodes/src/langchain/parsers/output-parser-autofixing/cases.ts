import type { KindCases } from '../../../testing/cases/node-case';

const parser = {
  kind: 'langchain.outputParserStructured',
  parameters: { jsonSchemaExample: '{"n":5}' },
};

export const outputParserAutofixingCases: KindCases = {
  kind: 'langchain.outputParserAutofixing',
  cases: [
    {
      it: 'asks for a correction of an answer that does not fit',
      versions: [1],
      run: { items: [{ text: 'one' }], parser, model: { answers: ['{"output":{"n":1}}'] } },
      gives: [[{ parsed: { output: { n: 1 } } }]],
    },
    {
      it: 'uses the prompt of its options',
      versions: [1],
      run: {
        items: [{ text: 'one' }],
        parser,
        model: { answers: ({ messages }) => JSON.stringify({ output: { n: String(messages[0]?.content).length } }) },
        parameters: { options: { prompt: '{error}!' } },
      },
      gives: [[{ parsed: { output: { n: 'It is not valid JSON.!'.length } } }]],
    },
    {
      it: 'fails if the correction does not fit',
      versions: [1],
      run: { items: [{ text: 'one' }], parser, model: { answers: ['two'] } },
      fails: "Model output doesn't fit required format",
    },
    {
      it: 'requires a parser',
      versions: [1],
      run: { items: [{ text: 'one' }], model: { answers: ['two'] } },
      fails: '"Sub-node" has no parser',
    },
  ],
};
