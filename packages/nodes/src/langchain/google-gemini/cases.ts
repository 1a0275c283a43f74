import type { JsonObject } from '@weft/node-catalogue';
import type { CaseExchange, KindCases } from '../../testing/cases/node-case';
import { vendorRun } from '../testing/vendor-case';

const ALL = [1, 1.1, 1.2];
const MODEL = { __rl: true, mode: 'list', value: 'models/gemini-2.5-flash' };
const HOST = 'https://generativelanguage.googleapis.com';
const KEY = 'AIza0123456789abcdef';

const candidate = (text: string): JsonObject => ({
  content: { role: 'model', parts: [{ text }] },
  finishReason: 'STOP',
  index: 0,
});
const bodyOf = (...texts: readonly string[]): JsonObject => ({
  candidates: texts.map(candidate),
  usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
});

const vendor = (dataOf: (url: string) => JsonObject) =>
  vendorRun({ type: 'googlePalmApi', data: dataOf, parameters: { modelId: MODEL } });
const run = vendor((url) => ({ apiKey: KEY, host: url }));
/** At the address of the service, for which the local server stands in. */
const atService = vendor(() => ({ apiKey: KEY, host: HOST }));

const asked = { messages: { values: [{ content: '={{ $json.q }}' }] } };
const picture = { data: { content: 'png', fileName: 'a.png', mimeType: 'image/png' } };
const GENERATE = '/v1beta/models/gemini-2.5-flash:generateContent';

/** An upload of the bytes `png` to the service. */
const upload = (mimeType = 'image/png', bytes = 'png'): CaseExchange[] => [
  {
    expect: {
      method: 'POST',
      path: `/upload/v1beta/files?key=${KEY}`,
      headers: { 'x-goog-upload-command': 'start', 'x-goog-upload-header-content-type': mimeType },
    },
    response: {},
    headers: { 'x-goog-upload-url': `${HOST}/upload/1` },
  },
  {
    expect: {
      method: 'POST',
      path: '/upload/1',
      body: bytes,
      headers: { 'x-goog-upload-command': 'upload, finalize' },
    },
    response: { file: { name: 'files/1', uri: `${HOST}/v1beta/files/1`, mimeType, state: 'ACTIVE' } },
  },
];
const answer = (body: unknown, response: unknown): CaseExchange => ({
  expect: { method: 'POST', path: GENERATE, body },
  response,
});
/** Parts of the body of a question about an uploaded file. */
const about = (mimeType: string, text: string, ...more: readonly string[]): readonly string[] => [
  `"fileData":{"mimeType":"${mimeType}","fileUri":"${HOST}/v1beta/files/1"}`,
  JSON.stringify({ text }),
  ...more,
];
const png = Buffer.from('png').toString('base64');
const withImage = { candidates: [{ content: { parts: [{ inlineData: { mimeType: 'image/png', data: png } }] } }] };

export const googleGeminiCases: KindCases = {
  kind: 'langchain.googleGemini',
  cases: [
    {
      it: 'gives an item for each answer',
      versions: ALL,
      run: run(asked),
      serverAnswers: { body: JSON.stringify(bodyOf('Hello', 'Hey')) },
      gives: [[candidate('Hello'), candidate('Hey')]],
      pairs: [[{ item: 0 }, { item: 0 }]],
      sends: { method: 'POST', path: GENERATE, headers: { 'x-goog-api-key': KEY } },
    },
    {
      it: 'gives the whole response',
      versions: ALL,
      run: run({ ...asked, simplify: false }),
      serverAnswers: { body: JSON.stringify(bodyOf('Hello')) },
      gives: [[bodyOf('Hello')]],
    },
    {
      it: 'merges the text of an answer',
      versions: [1.1, 1.2],
      run: run({ ...asked, options: { includeMergedResponse: true } }),
      serverAnswers: { body: JSON.stringify(bodyOf('Hello')) },
      gives: [[{ ...candidate('Hello'), mergedResponse: 'Hello' }]],
    },
    {
      it: 'requires a prompt',
      versions: ALL,
      run: run({ messages: { values: [{ content: ' ' }] } }),
      fails: 'The prompt is empty',
    },
    {
      it: 'asks about a file of the item',
      versions: ALL,
      withFiles: picture,
      run: atService({ resource: 'image', operation: 'analyze', inputType: 'binary', text: '={{ $json.q }}' }),
      exchange: [...upload(), answer(about('image/png', 'Hi'), bodyOf('A cat'))],
      gives: [[candidate('A cat')]],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'asks about a recording',
      versions: ALL,
      withFiles: { data: { content: 'mp3', fileName: 'a.mp3', mimeType: 'audio/mpeg' } },
      run: atService({ resource: 'audio', operation: 'analyze', inputType: 'binary', options: { maxOutputTokens: 9 } }),
      exchange: [
        ...upload('audio/mpeg', 'mp3'),
        answer(about('audio/mpeg', "What's in this audio?", '"maxOutputTokens":9'), bodyOf('Rain')),
      ],
      gives: [[candidate('Rain')]],
    },
    {
      it: 'transcribes a part of a recording',
      versions: ALL,
      withFiles: { data: { content: 'mp3', fileName: 'a.mp3', mimeType: 'audio/mpeg' } },
      run: atService({ resource: 'audio', inputType: 'binary', options: { startTime: '00:15', endTime: '02:15' } }),
      exchange: [
        ...upload('audio/mpeg', 'mp3'),
        answer(
          about('audio/mpeg', 'Write a transcript of what is said in the recording from 00:15 to 02:15.'),
          bodyOf('Good evening'),
        ),
      ],
      gives: [[candidate('Good evening')]],
    },
    {
      it: 'asks about a document at an address',
      versions: ALL,
      run: atService({ resource: 'document', documentUrls: 'https://files.example/a.pdf' }),
      exchange: [
        {
          expect: { method: 'GET', host: 'files.example', path: '/a.pdf' },
          response: 'pdf',
          headers: { 'content-type': 'application/pdf; charset=binary' },
        },
        ...upload('application/pdf', 'pdf'),
        answer(about('application/pdf', "What's in this document?"), bodyOf('An invoice')),
      ],
      gives: [[candidate('An invoice')]],
    },
    {
      it: 'asks about a video that is already at the service',
      versions: ALL,
      run: atService({ resource: 'video', operation: 'analyze', videoUrls: `${HOST}/v1beta/files/1`, simplify: false }),
      exchange: [
        { expect: { method: 'GET', path: `/v1beta/files/1?key=${KEY}` }, response: { mimeType: 'video/mp4' } },
        answer(about('video/mp4', "What's in this video?"), bodyOf('A dance')),
      ],
      gives: [[bodyOf('A dance')]],
    },
    {
      it: 'uploads a file, and waits until the service has processed it',
      versions: ALL,
      withFiles: picture,
      run: atService({ resource: 'file', inputType: 'binary' }),
      exchange: [
        ...upload().slice(0, 1),
        { expect: { path: '/upload/1' }, response: { file: { name: 'files/1', state: 'PROCESSING' } } },
        {
          expect: { method: 'GET', path: `/v1beta/files/1?key=${KEY}` },
          response: { state: 'ACTIVE', uri: `${HOST}/v1beta/files/1`, mimeType: 'image/png' },
        },
      ],
      gives: [[{ fileUri: `${HOST}/v1beta/files/1`, mimeType: 'image/png' }]],
    },
    {
      it: 'makes an image',
      versions: ALL,
      run: run({ resource: 'image', prompt: 'A cat' }),
      serverAnswers: { body: JSON.stringify(withImage) },
      files: [{ data: 'png' }],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'makes images with Imagen',
      versions: ALL,
      run: run({ resource: 'image', modelId: 'models/imagen-4', prompt: 'A cat', options: { sampleCount: 2 } }),
      serverAnswers: {
        body: JSON.stringify({ predictions: [1, 2].map(() => ({ mimeType: 'image/png', bytesBase64Encoded: png })) }),
      },
      files: [{ data: 'png' }, { data: 'png' }],
      sends: { path: `/v1beta/models/imagen-4:predict?key=${KEY}` },
    },
    {
      it: 'edits images of the item',
      versions: ALL,
      withFiles: picture,
      run: atService({ resource: 'image', operation: 'edit', prompt: 'Bluer' }),
      exchange: [
        ...upload(),
        {
          expect: {
            path: `${GENERATE}?key=${KEY}`,
            body: about('image/png', 'Bluer', '"responseModalities":["IMAGE"]'),
          },
          response: withImage,
        },
      ],
      files: [{ edited: 'png' }],
    },
    {
      it: 'refuses a model that makes no images',
      versions: ALL,
      run: run({ resource: 'image', modelId: 'models/embedding', prompt: 'A cat' }),
      fails: 'does not make images',
    },
    {
      it: 'makes a video, and downloads it with the key',
      versions: ALL,
      run: atService({ resource: 'video', modelId: 'models/veo-3', prompt: 'Waves', options: { aspectRatio: '9:16' } }),
      exchange: [
        {
          expect: {
            path: `/v1beta/models/veo-3:predictLongRunning?key=${KEY}`,
            body: ['"instances":[{"prompt":"Waves"}]', '"aspectRatio":"9:16"', '"sampleCount":1'],
          },
          response: { name: 'operations/1' },
        },
        {
          expect: { method: 'GET', path: `/v1beta/operations/1?key=${KEY}` },
          response: {
            done: true,
            response: {
              generateVideoResponse: { generatedSamples: [{ video: { uri: `${HOST}/v1beta/files/2:download` } }] },
            },
          },
        },
        {
          expect: { method: 'GET', path: `/v1beta/files/2:download?key=${KEY}` },
          response: 'mp4',
          headers: { 'content-type': 'video/mp4' },
        },
      ],
      files: [{ data: 'mp4' }],
    },
    {
      it: 'does not send the key to another host for a video',
      versions: ALL,
      run: run({ resource: 'video', operation: 'download', url: 'https://other.example/video' }),
      fails: 'other.example',
    },
    {
      it: 'downloads a video',
      versions: ALL,
      run: atService({ resource: 'video', operation: 'download', url: `${HOST}/v1beta/files/2:download` }),
      exchange: [
        {
          expect: { method: 'GET', path: `/v1beta/files/2:download?key=${KEY}` },
          response: 'mp4',
          headers: { 'content-type': 'video/mp4' },
        },
      ],
      files: [{ data: 'mp4' }],
    },
  ],
};
