import { memoryFiles } from '@weft/engine/testing';
import type { JsonObject } from '@weft/node-catalogue';
import { caseEnvironment } from '../../testing/case-environment';
import { runKind } from '../../testing/cases/run-kind';

const environment = caseEnvironment();
const KEY = 'sk-0123456789abcdef';

const run = async (
  parameters: JsonObject,
  body: string,
  over: {
    readonly status?: number;
    readonly url?: string;
    readonly version?: number;
    readonly credential?: JsonObject;
  } = {},
) => {
  const { server, ports } = environment();
  server.answerWith({ body, ...(over.status === undefined ? {} : { status: over.status }) });
  const files = memoryFiles();
  const data = await files.store(Buffer.from('mp3'), { mimeType: 'audio/mpeg', fileExtension: 'mp3' });
  return runKind('langchain.openAi', {
    ...ports,
    files,
    binary: { data },
    items: [{ q: 1 }, { q: 2 }],
    version: over.version ?? 1.8,
    parameters,
    node: { credentials: { openAiApi: { id: 'c', name: 'c' } }, onError: 'continueRegularOutput' },
    credential: { apiKey: KEY, url: over.url ?? `${server.url}/v1`, ...over.credential },
  });
};

const OPERATIONS: readonly JsonObject[] = [
  { resource: 'text', operation: 'classify', input: 'Hi' },
  { resource: 'image', operation: 'generate', prompt: 'A cat' },
  { resource: 'audio', operation: 'transcribe' },
  { resource: 'audio', operation: 'translate' },
];

describe.each(OPERATIONS)('the OpenAI node with %j', (parameters) => {
  it.each([
    ['not JSON', '<html>not found</html>', undefined],
    ['an array', '[]', undefined],
    ['an error', `{"error":{"message":"Incorrect key ${KEY}"}}`, 401],
  ])('gives an item with the failure for a response that is %s, without its key', async (_what, body, status) => {
    const result = await run(parameters, body, status === undefined ? {} : { status });
    expect(result.outputs[0]).toEqual([{ error: expect.any(String) }, { error: expect.any(String) }]);
    expect(JSON.stringify([result.outputs, result.record])).not.toContain(KEY);
  });
});

describe('the OpenAI node', () => {
  it('sends a recording as a file with a name, by which the service knows its format', async () => {
    await run({ resource: 'audio', operation: 'transcribe', options: { temperature: 0.5 } }, '{"text":"Hi"}');
    const { body, headers } = environment().server.last();
    expect(headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(body).toContain('filename="audio.mp3"');
    expect(body).toContain('whisper-1');
    expect(body).toContain('0.5');
    expect(body).not.toContain('language');
  });

  it('sends the options of images by the names of the service', async () => {
    const options = { dalleQuality: 'hd', size: '512x512', binaryPropertyOutput: 'pic' };
    const { items } = await run({ resource: 'image', prompt: 'A cat', options }, '{"data":[{"b64_json":"cG5n"}]}');
    expect(JSON.parse(environment().server.last().body)).toEqual({
      prompt: 'A cat',
      model: 'dall-e-3',
      response_format: 'b64_json',
      quality: 'hd',
      size: '512x512',
    });
    expect(items[0]?.[0]?.binary?.['pic']).toBeDefined();
  });

  it.each([
    [1.8, 'assistants'],
    [2, 'user_data'],
  ])('uploads a file in version %d for the purpose %s', async (version, purpose) => {
    await run({ resource: 'file' }, '{"id":"f"}', { version });
    const { body } = environment().server.last();
    expect(body).toContain(purpose);
    expect(body).toContain('Content-Type: audio/mpeg');
  });

  it('sends the messages of a new conversation in the form of their roles', async () => {
    const values = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello' },
    ];
    await run({ resource: 'conversation', messages: { values } }, '{"id":"c"}', { version: 2 });
    expect(JSON.parse(environment().server.last().body)).toEqual({
      items: [
        { role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
        { role: 'assistant', content: [{ type: 'output_text', text: 'Hello', annotations: [] }] },
      ],
    });
  });

  it('sends the header of the credential for a gateway', async () => {
    const header = { header: true, headerName: 'X-Gateway', headerValue: 'one' };
    await run({ resource: 'file', operation: 'list' }, '{"data":[]}', { credential: header });
    expect(environment().server.last().headers['x-gateway']).toBe('one');
  });

  it('reports an address of the credential that is not one', async () => {
    const { outputs } = await run({ operation: 'classify', input: 'Hi' }, '{}', { url: 'here' });
    expect(outputs[0]?.[0]).toEqual({ error: expect.stringContaining('no valid address') });
  });

  it('fails for an image that is not base64', async () => {
    const { outputs } = await run({ resource: 'image', prompt: 'A cat' }, '{"data":[{"b64_json":"%%"}]}');
    expect(outputs[0]?.[0]).toEqual({ error: expect.stringContaining('not a base64 string') });
  });
});
