import type { KindCases } from '../../../testing/cases/node-case';
import { promptOf } from '../../testing/scripted-model';

const echo = { answers: (call: Parameters<typeof promptOf>[0]) => promptOf(call) };
const image = { image: { content: 'png', mimeType: 'image/png' } };
const older = [1, 1.1, 1.2, 1.3];
const newer = [1.4, 1.5, 1.6, 1.7, 1.8, 1.9];

export const chainLlmCases: KindCases = {
  kind: 'langchain.chainLlm',
  cases: [
    {
      it: 'answers the prompt of each item',
      versions: older,
      run: { items: [{ n: 1 }, { n: 2 }], parameters: { prompt: '=Say {{ $json.n }}' }, model: echo },
      gives: [[{ text: 'Say 1' }, { text: 'Say 2' }]],
      pairs: [[{ item: 0 }, { item: 1 }]],
    },
    {
      it: 'answers the prompt of each item',
      versions: newer,
      run: {
        items: [{ n: 1 }, { n: 2 }],
        parameters: { promptType: 'define', text: '=Say {{ $json.n }}' },
        model: echo,
      },
      gives: [[{ text: 'Say 1' }, { text: 'Say 2' }]],
      pairs: [[{ item: 0 }, { item: 1 }]],
    },
    {
      it: 'answers the chat input',
      versions: newer,
      run: { items: [{ chatInput: 'Hi' }], model: echo },
      gives: [[{ text: 'Hi' }]],
    },
    {
      it: 'sends the messages before the prompt',
      versions: newer,
      run: {
        items: [{ chatInput: 'Hi' }],
        parameters: { messages: { messageValues: [{ message: 'Be brief' }] } },
        model: echo,
      },
      gives: [[{ text: 'Be brief\nHi' }]],
    },
    {
      it: 'sends an image of the item',
      versions: newer,
      run: {
        items: [{ chatInput: 'What is it?' }],
        parameters: {
          messages: {
            messageValues: [
              { type: 'HumanMessagePromptTemplate', messageType: 'imageBinary', binaryImageDataKey: 'image' },
            ],
          },
        },
        model: { answers: ({ messages }) => JSON.stringify(messages[0]?.content) },
      },
      withFiles: image,
      gives: [
        [
          {
            text: JSON.stringify([
              { type: 'file', mimeType: 'image/png', data: 'cG5n' },
              { type: 'text', text: 'What is it?' },
            ]),
          },
        ],
      ],
    },
    {
      it: 'refuses a file that is not an image',
      versions: newer,
      run: {
        items: [{ chatInput: 'What is it?' }],
        parameters: {
          messages: { messageValues: [{ type: 'HumanMessagePromptTemplate', messageType: 'imageBinary' }] },
        },
        model: echo,
      },
      withFiles: { data: { content: 'a,b', mimeType: 'text/csv' } },
      fails: 'names a file of type text/csv; only images can be sent',
    },
    {
      it: 'gives what its parser reads',
      versions: newer,
      run: {
        items: [{ chatInput: 'Hi' }],
        parameters: { hasOutputParser: true },
        model: { answers: ['{"output":{"n":1}}'] },
        parser: { kind: 'langchain.outputParserStructured', parameters: { jsonSchemaExample: '{"n":5}' } },
      },
      gives: [[{ output: { n: 1 } }]],
    },
    {
      it: 'works in batches',
      versions: [1.7, 1.8, 1.9],
      run: {
        items: Array.from({ length: 5 }, (_, n) => ({ chatInput: `${n}` })),
        parameters: { batching: { batchSize: 2, delayBetweenBatches: 100 } },
        model: echo,
      },
      gives: [[{ text: '0' }, { text: '1' }, { text: '2' }, { text: '3' }, { text: '4' }]],
    },
    {
      it: 'requires a prompt',
      versions: [...older, ...newer],
      run: { items: [{ n: 1 }], model: echo },
      fails: 'No prompt specified',
    },
  ],
};
