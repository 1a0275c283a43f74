import type { JsonObject } from '@weft/node-catalogue';
import type { CaseExchange, KindCases } from '../../testing/cases/node-case';
import { vendorRun } from '../testing/vendor-case';

const HOST = 'https://api.anthropic.com';
const KEY = 'sk-ant-0123456789abcdef';
const FILES = 'files-api-2025-04-14';
const PROMPTS = 'prompt-tools-2025-04-02';

const vendor = (dataOf: (url: string) => JsonObject) =>
  vendorRun({
    type: 'anthropicApi',
    data: dataOf,
    parameters: { modelId: { __rl: true, mode: 'list', value: 'claude-sonnet-4-5' } },
  });
const run = vendor((url) => ({ apiKey: KEY, url }));
/** At the address of the service, for which the local server stands in. */
const atService = vendor(() => ({ apiKey: KEY, url: HOST }));

const content = (text: string): JsonObject[] => [{ type: 'text', text }];
const answer = (text: string): JsonObject => ({
  id: 'm1',
  role: 'assistant',
  content: content(text),
  stop_reason: 'end_turn',
  usage: { input_tokens: 3, output_tokens: 2 },
});

const asked = { messages: { values: [{ content: '={{ $json.q }}' }] } };
const picture = { data: { content: 'png', fileName: 'a.png', mimeType: 'image/png' } };
const base64 = Buffer.from('png').toString('base64');
const file = (id: string): JsonObject => ({ id, type: 'file', mime_type: 'image/png' });
const withUrl = (id: string): JsonObject => ({ ...file(id), url: `${HOST}/v1/files/${id}` });

/** A question, with parts of its body. */
const question = (...body: readonly string[]): CaseExchange => ({
  expect: { method: 'POST', path: '/v1/messages', headers: { 'x-api-key': KEY, 'anthropic-beta': FILES }, body },
  response: answer('A cat'),
});
const prompt = { messages: { values: [{ content: 'Hi {{name}}', role: 'user' }] } };
const promptTool = (path: string, body: unknown, response: unknown): CaseExchange => ({
  expect: { method: 'POST', path, headers: { 'anthropic-beta': `${FILES},${PROMPTS}` }, body },
  response,
});

export const anthropicCases: KindCases = {
  kind: 'langchain.anthropic',
  cases: [
    {
      it: 'gives the content of the answer',
      versions: [1],
      run: run(asked),
      serverAnswers: { body: JSON.stringify(answer('Hello')) },
      gives: [[{ content: content('Hello') }]],
      pairs: [[{ item: 0 }]],
      sends: { method: 'POST', path: '/v1/messages', headers: { 'x-api-key': KEY } },
    },
    {
      it: 'gives the whole response, with its merged text',
      versions: [1],
      run: run({ ...asked, simplify: false, options: { includeMergedResponse: true } }),
      serverAnswers: { body: JSON.stringify(answer('Hello')) },
      gives: [[{ ...answer('Hello'), merged_response: 'Hello' }]],
    },
    {
      it: 'requires a prompt',
      versions: [1],
      run: run({ messages: { values: [{ content: ' ' }] } }),
      fails: 'The prompt is empty',
    },
    {
      it: 'asks about an image of the item',
      versions: [1],
      withFiles: picture,
      run: atService({ resource: 'image', inputType: 'binary' }),
      exchange: [
        question(
          `{"type":"base64","media_type":"image/png","data":"${base64}"}`,
          '"text":"What\'s in this image?"',
          '"max_tokens":1024',
        ),
      ],
      gives: [[{ content: content('A cat') }]],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'asks about images at addresses and at the service',
      versions: [1],
      run: atService({ resource: 'image', imageUrls: `https://files.example/a.png, ${HOST}/v1/files/f1` }),
      exchange: [
        question(
          '{"type":"image","source":{"type":"url","url":"https://files.example/a.png"}}',
          '{"type":"image","source":{"type":"file","file_id":"f1"}}',
        ),
      ],
      gives: [[{ content: content('A cat') }]],
    },
    {
      it: 'asks about a document at an address',
      versions: [1],
      run: atService({
        resource: 'document',
        documentUrls: 'https://files.example/a.pdf',
        simplify: false,
        options: { maxTokens: 9 },
      }),
      exchange: [
        question('{"type":"document","source":{"type":"url","url":"https://files.example/a.pdf"}}', '"max_tokens":9'),
      ],
      gives: [[answer('A cat')]],
    },
    {
      it: 'requires a file to ask about',
      versions: [1],
      run: run({ resource: 'document' }),
      fails: 'has no file to send',
    },
    {
      it: 'uploads a file of the item',
      versions: [1],
      withFiles: picture,
      run: atService({ resource: 'file', inputType: 'binary', options: { fileName: 'cat.png' } }),
      exchange: [
        {
          expect: {
            method: 'POST',
            path: '/v1/files',
            headers: { 'anthropic-beta': FILES },
            body: ['name="file"; filename="cat.png"', 'Content-Type: image/png', 'png'],
          },
          response: file('f1'),
        },
      ],
      gives: [[withUrl('f1')]],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'uploads a file from an address, without the key there',
      versions: [1],
      run: atService({ resource: 'file', fileUrl: 'https://files.example/a.png' }),
      exchange: [
        {
          expect: { method: 'GET', host: 'files.example', path: '/a.png' },
          response: 'png',
          headers: { 'content-type': 'image/png' },
        },
        { expect: { method: 'POST', path: '/v1/files', body: ['filename="file"'] }, response: file('f1') },
      ],
      gives: [[withUrl('f1')]],
    },
    {
      it: 'gives the facts of a file',
      versions: [1],
      run: atService({ resource: 'file', operation: 'get', fileId: 'f1' }),
      exchange: [{ expect: { method: 'GET', path: '/v1/files/f1' }, response: file('f1') }],
      gives: [[withUrl('f1')]],
    },
    {
      it: 'lists files up to a limit',
      versions: [1],
      run: atService({ resource: 'file', operation: 'list', limit: 2 }),
      exchange: [
        {
          expect: { method: 'GET', path: '/v1/files?limit=2' },
          response: { data: [file('f1'), file('f2')], has_more: true, last_id: 'f2' },
        },
      ],
      gives: [[withUrl('f1'), withUrl('f2')]],
      pairs: [[{ item: 0 }, { item: 0 }]],
    },
    {
      it: 'lists all files, page by page',
      versions: [1],
      run: atService({ resource: 'file', operation: 'list', returnAll: true }),
      exchange: [
        {
          expect: { method: 'GET', path: '/v1/files?limit=1000' },
          response: { data: [file('f1')], has_more: true, last_id: 'f1' },
        },
        {
          expect: { method: 'GET', path: '/v1/files?limit=1000&after_id=f1' },
          response: { data: [file('f2')], has_more: false, last_id: 'f2' },
        },
      ],
      gives: [[withUrl('f1'), withUrl('f2')]],
    },
    {
      it: 'deletes a file',
      versions: [1],
      run: atService({ resource: 'file', operation: 'deleteFile', fileId: 'a/b' }),
      exchange: [
        { expect: { method: 'DELETE', path: '/v1/files/a%2Fb' }, response: { id: 'a/b', type: 'file_deleted' } },
      ],
      gives: [[{ id: 'a/b', type: 'file_deleted' }]],
    },
    {
      it: 'requires the ID of a file to delete',
      versions: [1],
      run: run({ resource: 'file', operation: 'deleteFile' }),
      fails: 'The ID is empty',
    },
    {
      it: 'writes a prompt',
      versions: [1],
      run: atService({ resource: 'prompt', task: 'Greet people' }),
      exchange: [
        promptTool(
          '/v1/experimental/generate_prompt',
          { task: 'Greet people' },
          { messages: [], system: '', usage: [] },
        ),
      ],
      gives: [[{ messages: [], system: '' }]],
    },
    {
      it: 'improves a prompt',
      versions: [1],
      run: atService({ ...prompt, resource: 'prompt', operation: 'improve', options: { feedback: 'Shorter' } }),
      exchange: [
        promptTool(
          '/v1/experimental/improve_prompt',
          { messages: [{ role: 'user', content: 'Hi {{name}}' }], feedback: 'Shorter' },
          { messages: [], system: 'S', usage: [] },
        ),
      ],
      gives: [[{ messages: [], system: 'S' }]],
    },
    {
      it: 'finds the variables of a prompt',
      versions: [1],
      run: atService({ ...prompt, resource: 'prompt', operation: 'templatize', options: { system: 'S' } }),
      exchange: [
        promptTool(
          '/v1/experimental/templatize_prompt',
          { messages: [{ role: 'user', content: 'Hi {{name}}' }], system: 'S' },
          { messages: [], system: 'S', variable_values: { name: 'Ada' }, usage: [] },
        ),
      ],
      gives: [[{ messages: [], system: 'S', variable_values: { name: 'Ada' } }]],
    },
  ],
};
