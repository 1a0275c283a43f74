import type { AppDocument, AppOperation } from '@weft/app-model';
import type { JsonObject } from '@weft/node-catalogue';
import { memoryFiles } from '@weft/engine/testing';
import type { SeenRequest } from '@weft/outbound/testing';
import { type AppTestRun, runAppKind } from './testing/run-app';
import { testService } from './testing/test-service';

describe('files within JSON', () => {
  let answer: unknown;
  let requests: SeenRequest[];
  const server = testService((seen) => {
    requests.push(seen);
    return { body: answer };
  });
  beforeEach(() => {
    requests = [];
    answer = {};
  });

  const run = (operation: AppOperation, over: Partial<AppTestRun> = {}) => {
    const app: AppDocument = {
      weftApp: 1,
      name: 'test',
      label: 'Test',
      hosts: ['127.0.0.1'],
      credentials: { httpBearerAuth: 'catalogue' },
      calls: { api: { url: server.url } },
      kinds: {
        testApp: {
          label: 'Test',
          description: 'Test.',
          versions: [1],
          groups: ['input'],
          credentials: [{ type: 'httpBearerAuth' }],
          parameters: [],
          operations: { default: operation },
        },
      },
    };
    return runAppKind({ app, http: server.client, credential: { token: 'secret-token' }, ...over });
  };
  const send = (body: JsonObject, over: Partial<AppTestRun> = {}) => run({ call: 'api', method: 'POST', body }, over);

  it('are sent as Base64, at any depth of fields', async () => {
    const files = memoryFiles();
    const data = await files.store(Buffer.from('BYTES'), { mimeType: 'image/png' });
    await send({ name: 'a', in: { content: "={{ $fn.file('data') }}" } }, { files, binary: { data } });
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({ name: 'a', in: { content: 'QllURVM=' } });
  });

  it('fail the item if it does not have them, or if they are in a list', async () => {
    const missing = await send({ content: "={{ $fn.file('none') }}" });
    expect(missing.error?.message).toBe('The item has no file under "none".');
    const listed = await send({ content: ["={{ $fn.file('data') }}"] });
    expect(listed.error?.message).toContain('a file can only be a whole body or a field of a body');
    expect(requests).toEqual([]);
  });

  it('are limited in number', async () => {
    const files = memoryFiles();
    const data = await files.store(Buffer.from('BYTES'), { mimeType: 'image/png' });
    const bodyOf = (count: number): JsonObject =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, "={{ $fn.file('data') }}"]));
    expect((await send(bodyOf(100), { files, binary: { data } })).error).toBeUndefined();
    const { error } = await send(bodyOf(101), { files, binary: { data } });
    expect(error?.message).toBe('A request can have at most 100 files in JSON.');
    expect(requests).toHaveLength(1);
  });

  it('are limited in size', async () => {
    const files = memoryFiles();
    const data = await files.store(Buffer.alloc(26 * 1024 * 1024), { mimeType: 'image/png' });
    const { error } = await send({ content: "={{ $fn.file('data') }}" }, { files, binary: { data } });
    expect(error?.message).toBe('The files of the request have more than 25 MB.');
    expect(requests).toEqual([]);
  });

  it('are stored from a field of the response', async () => {
    answer = { file: { name: 'a.csv', content: Buffer.from('1,2').toString('base64') } };
    const files = memoryFiles();
    const file = { from: 'file.content', name: '={{ $response.body.file.name }}' };
    const { items } = await run({ call: 'api', file, item: { ok: true } }, { files });
    expect(items).toMatchObject([
      { json: { ok: true }, binary: { data: { fileName: 'a.csv', mimeType: 'text/csv' } } },
    ]);
    const stored = items[0]?.binary?.['data'];
    expect(stored && Buffer.from(await files.read(stored)).toString()).toBe('1,2');
  });

  it('are not kept in the response of a step', async () => {
    answer = { file: { name: 'a.csv', content: 'MSwy' } };
    const step = { as: 'one', call: 'api', file: { from: 'file.content' } } as const;
    const { items } = await run({ steps: [step], item: '={{ $steps.one.body }}' });
    expect(items.map(({ json }) => json)).toEqual([{ file: { name: 'a.csv' } }]);
  });

  it('fail the item if the response does not have them', async () => {
    const { error } = await run({ call: 'api', file: { from: 'content' } });
    expect(error?.message).toBe('Test answered without the file.');
  });
});
