import { vendorRun } from '../langchain/testing/vendor-case';
import type { KindCases } from '../testing/cases/node-case';

const ALL = [1, 1.1];

const run = vendorRun({
  type: 'openAiApi',
  data: (url) => ({ apiKey: 'sk-0123456789abcdef', url: `${url}/v1` }),
});
const post = (path: string): object => ({
  method: 'POST',
  path: `/v1${path}`,
  headers: { authorization: 'Bearer sk-0123456789abcdef' },
});

const chat = {
  resource: 'chat',
  prompt: { messages: [{ role: 'system', content: 'Be brief' }, { content: '={{ $json.q }}' }] },
};
const answer = { index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' };
const chatBody = { id: 'c', choices: [answer] };
const image = JSON.stringify({ data: [{ b64_json: Buffer.from('png').toString('base64') }] });

export const openAiOlderCases: KindCases = {
  kind: 'openAi',
  cases: [
    {
      it: 'answers a chat with an item for each choice',
      versions: ALL,
      run: run(chat),
      serverAnswers: { body: JSON.stringify(chatBody) },
      gives: [[answer]],
      pairs: [[{ item: 0 }]],
      sends: post('/chat/completions'),
    },
    {
      it: 'gives the whole response',
      versions: ALL,
      run: run({ ...chat, simplifyOutput: false }),
      serverAnswers: { body: JSON.stringify(chatBody) },
      gives: [[chatBody]],
    },
    {
      it: 'sends the model, the messages and the options',
      versions: [1],
      run: run({ ...chat, model: 'gpt-4', simplifyOutput: false, options: { maxTokens: 9, topP: 0.5, n: 2 } }),
      gives: [
        [
          expect.objectContaining({
            body: expect.stringContaining(
              '{"model":"gpt-4","messages":[{"role":"system","content":"Be brief"},{"role":"user","content":"Hi"}]',
            ),
          }),
        ],
      ],
    },
    {
      it: 'completes a text without the space around it',
      versions: ALL,
      run: run({ prompt: '={{ $json.q }}' }),
      serverAnswers: { body: '{"choices":[{"text":"\\n\\nHello ","index":0}]}' },
      gives: [[{ text: 'Hello', index: 0 }]],
      sends: post('/completions'),
    },
    {
      it: 'edits a text',
      versions: ALL,
      run: run({ operation: 'edit', input: 'Helo', instruction: 'Fix it' }),
      serverAnswers: { body: '{"choices":[{"text":"Hello","index":0}]}' },
      gives: [[{ text: 'Hello', index: 0 }]],
      sends: post('/edits'),
    },
    {
      it: 'checks a text',
      versions: ALL,
      run: run({ operation: 'moderate', input: '={{ $json.q }}' }),
      serverAnswers: { body: '{"results":[{"flagged":true}]}' },
      gives: [[{ flagged: true }]],
      sends: post('/moderations'),
    },
    {
      it: 'creates an image as a file',
      versions: ALL,
      run: run({ resource: 'image', prompt: 'A cat' }),
      serverAnswers: { body: image },
      gives: [[{}]],
      files: [{ data: 'png' }],
      sends: post('/images/generations'),
    },
    {
      it: 'gives the address of an image',
      versions: ALL,
      run: run({ resource: 'image', prompt: 'A cat', responseFormat: 'imageUrl' }),
      serverAnswers: { body: '{"data":[{"url":"https://images.example/1"}]}' },
      gives: [[{ url: 'https://images.example/1' }]],
    },
    {
      it: 'fails with the message of the service',
      versions: ALL,
      run: run(chat),
      serverAnswers: { status: 401, body: '{"error":{"message":"Incorrect API key"}}' },
      fails: 'Authorization failed',
    },
  ],
};
