import type { KindCases } from '../../../testing/cases/node-case';
import { promptOf } from '../../testing/scripted-model';

const values = { summarizationMethod: 'stuff', prompt: 'Sum {text}' };
const echo = { answers: (call: Parameters<typeof promptOf>[0]) => promptOf(call) };
const options = { summarizationMethodAndPrompts: { values } };

export const chainSummarizationCases: KindCases = {
  kind: 'langchain.chainSummarization',
  cases: [
    {
      it: 'summarizes the strings of an item',
      versions: [2],
      run: { items: [{ a: 'x', b: 1, c: ['y'] }], parameters: { options }, model: echo },
      gives: [[{ response: { text: 'Sum x\n\ny' } }]],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'summarizes the strings of an item',
      versions: [2.1],
      run: { items: [{ a: 'x', b: 1, c: ['y'] }], parameters: { options }, model: echo },
      gives: [[{ output: { text: 'Sum x\n\ny' } }]],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'summarizes a text file',
      versions: [2.1],
      run: {
        items: [{ n: 1 }],
        parameters: { operationMode: 'nodeInputBinary', options: { ...options, binaryDataKey: 'file' } },
        model: echo,
      },
      withFiles: { file: { content: 'Grüße', mimeType: 'text/plain' } },
      gives: [[{ output: { text: 'Sum Grüße' } }]],
    },
    {
      it: 'summarizes the strings of a JSON file',
      versions: [2.1],
      run: {
        items: [{ n: 1 }],
        parameters: { operationMode: 'nodeInputBinary', options },
        model: echo,
      },
      withFiles: { data: { content: '{"a":["x",{"b":"y"}]}', mimeType: 'application/json' } },
      gives: [[{ output: { text: 'Sum x\n\ny' } }]],
    },
    {
      it: 'refuses other files',
      versions: [2, 2.1],
      run: { items: [{ n: 1 }], parameters: { operationMode: 'nodeInputBinary', options }, model: echo },
      withFiles: { data: { content: 'x', mimeType: 'image/png' } },
      fails: 'has the type image/png, which cannot be summarized',
    },
    {
      it: 'requires text',
      versions: [2, 2.1],
      run: { items: [{ n: 1 }], model: echo },
      fails: 'There is no text to summarize',
    },
  ],
};
