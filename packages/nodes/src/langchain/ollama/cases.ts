import type { JsonObject } from '@weft/node-catalogue';
import type { KindCases } from '../../testing/cases/node-case';
import { vendorRun } from '../testing/vendor-case';

const run = vendorRun({
  type: 'ollamaApi',
  data: (url) => ({ baseUrl: url }),
  parameters: { modelId: { __rl: true, mode: 'id', value: 'llama3.2' } },
});
const asked = { messages: { values: [{ content: '={{ $json.q }}' }] } };
const answer = (content: string): JsonObject => ({
  model: 'llama3.2',
  message: { role: 'assistant', content },
  done: true,
  done_reason: 'stop',
  prompt_eval_count: 3,
  eval_count: 2,
});
const picture = { data: { content: 'png', fileName: 'a.png', mimeType: 'image/png' } };
const image = { resource: 'image', text: 'What is it?' };

export const ollamaCases: KindCases = {
  kind: 'langchain.ollama',
  cases: [
    {
      it: 'gives the text of the answer',
      versions: [1],
      run: run(asked),
      serverAnswers: { body: JSON.stringify(answer('Hello')) },
      gives: [[{ content: 'Hello' }]],
      pairs: [[{ item: 0 }]],
      sends: { method: 'POST', path: '/api/chat' },
    },
    {
      it: 'gives the whole response',
      versions: [1],
      run: run({ ...asked, simplify: false }),
      serverAnswers: { body: JSON.stringify(answer('Hello')) },
      gives: [[answer('Hello')]],
    },
    {
      it: 'requires a prompt',
      versions: [1],
      run: run({ messages: { values: [{ content: '' }] } }),
      fails: 'The prompt is empty',
    },
    {
      it: 'asks about an image of the item',
      versions: [1],
      withFiles: picture,
      run: run(image),
      serverAnswers: { body: JSON.stringify(answer('A cat')) },
      gives: [[{ content: 'A cat' }]],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'sends the bytes of an image at an address, for the server fetches nothing',
      versions: [1],
      run: run({ ...image, inputType: 'url', imageUrls: 'https://files.example/a.png', options: { system: 'Brief' } }),
      exchange: [
        {
          expect: { method: 'GET', host: 'files.example', path: '/a.png' },
          response: 'png',
          headers: { 'content-type': 'image/png' },
        },
        {
          expect: {
            method: 'POST',
            path: '/api/chat',
            body: [
              '{"role":"system","content":"Brief"}',
              `"content":"What is it?","images":["${Buffer.from('png').toString('base64')}"]`,
            ],
          },
          response: answer('A cat'),
        },
      ],
      gives: [[{ content: 'A cat' }]],
    },
    {
      it: 'requires an image to ask about',
      versions: [1],
      run: run({ ...image, inputType: 'url' }),
      fails: 'has no file to send',
    },
  ],
};
