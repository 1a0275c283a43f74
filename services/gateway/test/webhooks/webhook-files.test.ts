import type { WebhookSettings } from '@weft/proto/channels';
import { isJsonObject } from '@weft/service-kit/json';
import { closeAfterEach, until } from '@weft/service-kit/testing';
import { connect } from 'node:net';
import { webhookAt } from '../peers/workflows';
import { startGateway, type TestGateway } from '../support/start-gateway';

/** A part of a multipart body, written by hand. */
const part = (head: string, content: string): string =>
  `--B\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
const end = '--B--\r\n';
const type = 'multipart/form-data; boundary=B';

describe('files sent to /webhook/<path>', () => {
  const later = closeAfterEach();
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    set({ wholeBody: 'other' });
  });
  afterEach(() => gateway.stop());

  const set = (settings: Partial<WebhookSettings>) =>
    gateway.workflows.webhooks.set('POST hook', webhookAt({}, settings));
  const send = (body: string | Buffer, contentType = type) =>
    gateway.ask('POST', '/webhook/hook', { body, headers: { 'content-type': contentType } });
  const starts = (): readonly Readonly<Record<string, unknown>>[] =>
    gateway.executions
      .callsOf('startExecutions')
      .flatMap(({ request }) =>
        isJsonObject(request) && Array.isArray(request['starts']) ? request['starts'].filter(isJsonObject) : [],
      );
  const item = (): Readonly<Record<string, unknown>> => {
    const input = starts().at(-1)?.['input'];
    const items: unknown = Buffer.isBuffer(input) ? JSON.parse(input.toString()) : [];
    const [first]: unknown[] = Array.isArray(items) ? items : [];
    return isJsonObject(first) ? first : {};
  };
  const bodyOf = () => (isJsonObject(item()['json']) ? item()['json'] : {});

  it('passes fields as the body, and a file as a reference under the name of its part', async () => {
    const form = new FormData();
    form.append('title', 'Hé');
    form.append('tag', 'a');
    form.append('tag', 'b');
    form.append('list[]', 'c');
    form.append('__proto__', 'x');
    form.append('doc', new Blob(['%PDF'], { type: 'application/pdf' }), '../../Report 1.PDF');
    expect((await fetch(`${gateway.base}/webhook/hook`, { method: 'POST', body: form })).status).toBe(200);
    expect(JSON.stringify(bodyOf())).toContain('"body":{"title":"Hé","tag":["a","b"],"list[]":"c","__proto__":"x"}');
    const [[ref, stored] = []] = gateway.executions.inputFiles;
    expect(item()['binary']).toEqual({
      doc: { id: ref, mimeType: 'application/pdf', fileName: 'Report 1.PDF', fileExtension: 'pdf', fileSize: 4 },
    });
    expect([stored?.bytes.toString(), stored?.executionId]).toEqual(['%PDF', starts()[0]?.['executionId']]);
  });

  it('numbers several files of one name, or all of them by the name set in the node', async () => {
    const files =
      part('name="a"; filename="1.txt"', '1') +
      part('name="a"; filename="2.txt"', '2') +
      part('name="b[]"; filename="3.txt"', '3') +
      end;
    await send(files);
    expect(Object.keys(Object(item()['binary']))).toEqual(['a0', 'a1', 'b']);
    set({ wholeBody: 'other', fileProperty: 'file' });
    await send(files);
    expect(Object.keys(Object(item()['binary']))).toEqual(['file0', 'file1', 'file2']);
  });

  it('stores a body of an unparsed type as a file, from version 1.1 on or if configured', async () => {
    const names: unknown[] = [];
    expect((await send(Buffer.from([1, 2, 3]), 'image/png')).status).toBe(200);
    expect(item()).toMatchObject({ json: { body: {} }, binary: { data: { mimeType: 'image/png', fileSize: 3 } } });
    for (const stated of ['attachment; filename="../a b.PNG"', 'attachment;filename=x.png; size=3', 'inline']) {
      const headers = { 'content-type': 'image/png', 'content-disposition': stated };
      await gateway.ask('POST', '/webhook/hook', { body: Buffer.from([1]), headers });
      names.push(item()['binary']);
    }
    expect(names).toMatchObject([{ data: { fileName: 'a b.PNG' } }, { data: { fileName: 'x.png' } }, { data: {} }]);
    expect(names[2]).not.toHaveProperty('data.fileName');
    set({ wholeBody: 'never' });
    expect((await send(Buffer.from([1]), 'image/png')).status).toBe(400);
    set({ wholeBody: 'always', fileProperty: 'upload' });
    await send('{"a":1}', 'application/json');
    expect(item()).toMatchObject({
      json: { body: {} },
      binary: { upload: { mimeType: 'application/json', fileSize: 7 } },
    });
  });

  it('stores the raw body in addition to the parsed one, if configured', async () => {
    set({ wholeBody: 'other', rawBody: true });
    await send('{"a": 1}', 'application/json');
    expect(item()).toMatchObject({
      json: { body: { a: 1 } },
      binary: { data: { mimeType: 'application/json', fileSize: 8 } },
    });
    expect([...gateway.executions.inputFiles.values()][0]?.bytes.toString()).toBe('{"a": 1}');
  });

  it('stores nothing for a file input without a chosen file', async () => {
    await send(part('name="f"; filename=""', '') + part('name="n"', '1') + end);
    expect(starts()[0]?.['contentDigest']).toBeUndefined();
    expect([gateway.executions.inputFiles.size, bodyOf()]).toEqual([0, expect.objectContaining({ body: { n: '1' } })]);
  });

  it('accepts an empty file', async () => {
    await send(part('name="f"; filename="empty.txt"', '') + end);
    expect(item()).toMatchObject({ binary: { f: { fileName: 'empty.txt', fileSize: 0 } } });
  });

  it.each([
    ['no boundary', 'x', 'multipart/form-data', 400],
    ['another boundary', part('name="a"', '1') + end, 'multipart/form-data; boundary=C', 400],
    ['no end', part('name="a"', '1'), type, 400],
    ['a file that breaks off', '--B\r\nContent-Disposition: form-data; name="a"; filename="x"\r\n\r\nabc', type, 400],
    [
      'too many files',
      Array.from({ length: 21 }, (_, index) => part(`name="f${index}"; filename="x"`, 'x')).join('') + end,
      type,
      413,
    ],
    ['too many fields', part('name="a"', '1').repeat(1_001) + end, type, 413],
    ['a field that is too large', part('name="a"', 'x'.repeat(10_000_001)) + end, type, 413],
    ['fields that are too large together', part('name="a"', 'x'.repeat(2_500_000)).repeat(5) + end, type, 413],
    ['a huge name', part(`name="${'n'.repeat(5_000)}"`, '1') + end, type, 400],
    [
      'a head that never ends',
      `--B\r\nContent-Disposition: form-data; name="a"\r\n${'X: y\r\n'.repeat(50_000)}`,
      type,
      400,
    ],
    ['a file that is too large', part('name="a"; filename="x"', 'x'.repeat(33 * 1024 * 1024)) + end, type, 413],
    ['something else altogether', '{"a":1}', type, 400],
  ])('refuses %s, and starts nothing', async (_what, body, contentType, status) => {
    const reply = await send(body, contentType);
    expect([reply.status, starts().length]).toEqual([status, 0]);
  });

  it('reports that a body is too large or cannot be stored while the sender is still sending', async () => {
    set({ wholeBody: 'always' });
    const large = await send(Buffer.alloc(33 * 1024 * 1024), 'image/png');
    expect([large.status, large.json.error?.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    gateway.executions.failAfter('putInputFile', 0);
    expect((await send(Buffer.alloc(1024 * 1024), 'image/png')).status).toBe(503);
    expect(starts()).toHaveLength(0);
  });

  it('starts nothing if the sender disconnects in the middle of a file', async () => {
    const socket = later(connect(gateway.port, '127.0.0.1'), (open) => open.destroy());
    socket.write(
      `POST /webhook/hook HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ` +
        '100000\r\n\r\n--B\r\nContent-Disposition: form-data; name="a"; filename="x"\r\n\r\nabc',
    );
    await until(
      'the workflow was found',
      async () => gateway.workflows.callsOf('resolveWebhooks').length > 0 || undefined,
    );
    socket.destroy();
    expect((await send(part('name="n"', '1') + end)).status).toBe(200);
    expect(starts()).toHaveLength(1);
  });

  it('starts nothing if a file cannot be stored', async () => {
    gateway.executions.failAfter('putInputFile', 0);
    const reply = await send(part('name="a"; filename="x"', 'abc') + end);
    expect([reply.status, starts().length]).toEqual([503, 0]);
  });

  it('sends a digest of the files of a request: equal only for the same files', async () => {
    const digestOf = async (body: string): Promise<string> => {
      await send(body + end);
      const digest = starts().at(-1)?.['contentDigest'];
      return Buffer.isBuffer(digest) ? digest.toString('hex') : '';
    };
    const first = await digestOf(part('name="f"; filename="a.txt"', 'one'));
    const others = [
      await digestOf(part('name="f"; filename="a.txt"', 'two')),
      await digestOf(part('name="f"; filename="b.txt"', 'one')),
      await digestOf(part('name="g"; filename="a.txt"', 'one')),
    ];
    expect(await digestOf(part('name="f"; filename="a.txt"', 'one'))).toBe(first);
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(new Set([first, ...others]).size).toBe(4);
  });
});
