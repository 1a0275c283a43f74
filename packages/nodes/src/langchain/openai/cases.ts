import type { JsonObject } from '@weft/node-catalogue';
import type { KindCases } from '../../testing/cases/node-case';
import { vendorRun } from '../testing/vendor-case';

const V1 = [1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8];
const V2 = [2, 2.1, 2.2, 2.3];
const MODEL = { __rl: true, mode: 'list', value: 'gpt-4.1' };

const chatBody = (content: string): JsonObject => ({
  id: 'c',
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
});
const messageItem = (text: unknown): object => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text }],
});
const responseBody = (text: string): object => ({
  id: 'r',
  status: 'completed',
  output: [{ type: 'web_search_call', id: 'w' }, messageItem(text)],
});
const choice = (content: unknown): object => ({
  index: 0,
  message: { role: 'assistant', content },
  finish_reason: 'stop',
});

const run = vendorRun({
  type: 'openAiApi',
  data: (url) => ({ apiKey: 'sk-0123456789abcdef', url: `${url}/v1` }),
  parameters: { modelId: MODEL },
});

const asked = { messages: { values: [{ content: '={{ $json.q }}' }] } };
const askedNewer = { responses: { values: [{ content: '={{ $json.q }}' }] } };

const ALL = [...V1, ...V2];
const recording = { data: { content: 'mp3', fileName: 'a.mp3', mimeType: 'audio/mpeg' } };
const picture = { data: { content: 'png', fileName: 'a.png', mimeType: 'image/png' } };
const images = { body: JSON.stringify({ data: [{ b64_json: Buffer.from('png').toString('base64') }] }) };

export const openAiCases: KindCases = {
  kind: 'langchain.openAi',
  cases: [
    {
      it: 'gives the choices of the answer',
      versions: V1,
      run: run(asked),
      serverAnswers: { body: JSON.stringify(chatBody('Hello')) },
      gives: [[choice('Hello')]],
      pairs: [[{ item: 0 }]],
      sends: {
        method: 'POST',
        path: '/v1/chat/completions',
        headers: { authorization: 'Bearer sk-0123456789abcdef' },
      },
    },
    {
      it: 'reads an answer that is JSON',
      versions: V1,
      run: run({ ...asked, jsonOutput: true }),
      serverAnswers: { body: JSON.stringify(chatBody('{"a":1}')) },
      gives: [[choice({ a: 1 })]],
    },
    {
      it: 'gives the whole response',
      versions: V1,
      run: run({ ...asked, simplify: false }),
      serverAnswers: { body: JSON.stringify(chatBody('Hello')) },
      gives: [[chatBody('Hello')]],
    },
    {
      it: 'requires a prompt',
      versions: V1,
      run: run({ messages: { values: [{ content: ' ' }] } }),
      fails: 'The prompt is empty',
    },
    {
      it: 'gives the messages of the response',
      versions: V2,
      run: run(askedNewer),
      serverAnswers: { body: JSON.stringify(responseBody('Hello')) },
      gives: [[{ output: [messageItem('Hello')] }]],
      pairs: [[{ item: 0 }]],
      sends: { method: 'POST', path: '/v1/responses' },
    },
    {
      it: 'reads a response that is JSON',
      versions: V2,
      run: run({ ...askedNewer, options: { textFormat: { textOptions: { type: 'json_object' } } } }),
      serverAnswers: { body: JSON.stringify(responseBody('{"a":1}')) },
      gives: [[{ output: [messageItem({ a: 1 })] }]],
    },
    {
      it: 'gives the whole response',
      versions: V2,
      run: run({ ...askedNewer, simplify: false }),
      serverAnswers: { body: JSON.stringify({ ...responseBody('Hello'), error: null }) },
      gives: [[responseBody('Hello')]],
    },
    {
      it: 'requires a prompt',
      versions: V2,
      run: run({ responses: { values: [{ type: 'text' }] } }),
      fails: 'The prompt is empty',
    },
    {
      it: 'checks a text',
      versions: ALL,
      run: run({ operation: 'classify', input: '={{ $json.q }}', simplify: true }),
      serverAnswers: { body: '{"results":[{"flagged":true,"categories":{}}]}' },
      gives: [[{ flagged: true }]],
      sends: { path: '/v1/moderations' },
    },
    {
      it: 'answers a question about an image of the item',
      versions: V1,
      run: run({ resource: 'image', operation: 'analyze', text: 'What is it?', inputType: 'base64' }),
      withFiles: picture,
      serverAnswers: { body: JSON.stringify(chatBody('A cat')) },
      gives: [[{ content: 'A cat' }]],
      sends: { path: '/v1/chat/completions' },
    },
    {
      it: 'answers a question about an image at an address',
      versions: V2,
      run: run({ resource: 'image', operation: 'analyze', text: 'What is it?', imageUrls: 'https://a.example/b.png' }),
      serverAnswers: { body: JSON.stringify(responseBody('A cat')) },
      gives: [[{ '0': { type: 'web_search_call', id: 'w' }, '1': messageItem('A cat') }]],
      sends: { path: '/v1/responses' },
    },
    {
      it: 'requires an image to ask about',
      versions: ALL,
      run: run({ resource: 'image', operation: 'analyze', text: 'What is it?' }),
      fails: 'has no file to send',
    },
    {
      it: 'generates an image',
      versions: ALL,
      run: run({ resource: 'image', operation: 'generate', prompt: 'A cat' }),
      serverAnswers: images,
      files: [{ data: 'png' }],
      pairs: [[{ item: 0 }]],
      sends: { path: '/v1/images/generations', headers: { authorization: 'Bearer sk-0123456789abcdef' } },
    },
    {
      it: 'gives the addresses of images',
      versions: [...V1, 2, 2.1],
      run: run({ resource: 'image', prompt: 'A cat', options: { returnImageUrls: true } }),
      serverAnswers: { body: '{"data":[{"url":"https://a.example/1"},{"url":"https://a.example/2"}]}' },
      gives: [[{ url: 'https://a.example/1' }, { url: 'https://a.example/2' }]],
    },
    {
      it: 'reports what the service says about an image',
      versions: ALL,
      run: run({ resource: 'image', operation: 'generate', prompt: 'A cat' }),
      serverAnswers: { status: 400, body: '{"error":{"message":"Not safe"}}' },
      fails: 'Bad request',
    },
    {
      it: 'transcribes a recording',
      versions: ALL,
      run: run({ resource: 'audio', operation: 'transcribe', options: { language: 'en' } }),
      withFiles: recording,
      serverAnswers: { body: '{"text":"Hello"}' },
      gives: [[{ text: 'Hello' }]],
      sends: { path: '/v1/audio/transcriptions' },
    },
    {
      it: 'translates a recording',
      versions: ALL,
      run: run({ resource: 'audio', operation: 'translate' }),
      withFiles: recording,
      serverAnswers: { body: '{"text":"Hello"}' },
      gives: [[{ text: 'Hello' }]],
      sends: { path: '/v1/audio/translations' },
    },
    {
      it: 'requires a recording',
      versions: ALL,
      run: run({ resource: 'audio', operation: 'transcribe' }),
      fails: 'The item has no file under "data"',
    },
    {
      it: 'speaks a text',
      versions: ALL,
      run: run({ resource: 'audio', operation: 'generate', input: '={{ $json.q }}' }),
      serverAnswers: { body: 'sound', type: 'audio/mpeg' },
      files: [{ data: 'sound' }],
      sends: { path: '/v1/audio/speech' },
    },
    {
      it: 'uploads a file of the item',
      versions: ALL,
      run: run({ resource: 'file' }),
      withFiles: recording,
      serverAnswers: { body: '{"id":"file-1","purpose":"user_data"}' },
      gives: [[{ id: 'file-1', purpose: 'user_data' }]],
      pairs: [[{ item: 0 }]],
      sends: { method: 'POST', path: '/v1/files' },
    },
    {
      it: 'lists files of a purpose',
      versions: ALL,
      run: run({ resource: 'file', operation: 'list', options: { purpose: 'vision' } }),
      serverAnswers: { body: '{"data":[{"id":"file-1"},{"id":"file-2"}]}' },
      gives: [[{ id: 'file-1' }, { id: 'file-2' }]],
      sends: { method: 'GET', path: '/v1/files?purpose=vision' },
    },
    {
      it: 'deletes a file',
      versions: ALL,
      run: run({ resource: 'file', operation: 'deleteFile', fileId: { __rl: true, mode: 'id', value: 'file-1' } }),
      serverAnswers: { body: '{"id":"file-1","deleted":true}' },
      gives: [[{ id: 'file-1', deleted: true }]],
      sends: { method: 'DELETE', path: '/v1/files/file-1' },
    },
    {
      it: 'requires the ID of a file to delete',
      versions: ALL,
      run: run({ resource: 'file', operation: 'deleteFile' }),
      fails: 'The ID is empty',
    },
    {
      it: 'creates a conversation',
      versions: V2,
      run: run({
        resource: 'conversation',
        messages: { values: [{ type: 'text', role: 'system', content: 'Be brief' }] },
        options: { metadata: '{"customer":"42"}' },
      }),
      serverAnswers: { body: '{"id":"conv_1","object":"conversation"}' },
      gives: [[{ id: 'conv_1', object: 'conversation' }]],
      pairs: [[{ item: 0 }]],
      sends: { method: 'POST', path: '/v1/conversations' },
    },
    {
      it: 'refuses metadata that is not an object of strings',
      versions: V2,
      run: run({ resource: 'conversation', options: { metadata: '[1]' } }),
      fails: 'Metadata must be a JSON object',
    },
    {
      it: 'gives a conversation',
      versions: V2,
      run: run({ resource: 'conversation', operation: 'get', conversationId: 'conv_1' }),
      serverAnswers: { body: '{"id":"conv_1"}' },
      gives: [[{ id: 'conv_1' }]],
      sends: { method: 'GET', path: '/v1/conversations/conv_1' },
    },
    {
      it: 'changes the metadata of a conversation',
      versions: V2,
      run: run({ resource: 'conversation', operation: 'update', conversationId: 'conv_1', metadata: '{"a":"b"}' }),
      serverAnswers: { body: '{"id":"conv_1"}' },
      gives: [[{ id: 'conv_1' }]],
      sends: { method: 'POST', path: '/v1/conversations/conv_1' },
    },
    {
      it: 'deletes a conversation',
      versions: V2,
      run: run({ resource: 'conversation', operation: 'remove', conversationId: 'conv_1' }),
      serverAnswers: { body: '{"id":"conv_1","deleted":true}' },
      gives: [[{ id: 'conv_1', deleted: true }]],
      sends: { method: 'DELETE', path: '/v1/conversations/conv_1' },
    },
  ],
};
