import { executionOf } from './peers/executions';
import { KEYS } from './peers/identity';
import { startGateway, type TestGateway } from './start-gateway';

describe('GET /api/v1/executions/:id/binary/:ref', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    gateway.executions.stored.set('e1', executionOf('e1'));
  });
  afterEach(() => gateway.stop());
  const path = '/executions/e1/binary/e1.1.file-a';
  const download = (key: string = KEYS.owner) =>
    fetch(`http://127.0.0.1:${gateway.port}/api/v1${path}`, { headers: { 'x-svc-api-key': key } });

  it('gives the bytes as they are, as a download that no browser runs', async () => {
    const bytes = Buffer.from([0, 255, 254, 10, 13]);
    gateway.executions.files.set('e1.1.file-a', [
      { data: bytes, mimeType: 'text/html', fileName: 'Übersicht "1".html' },
      { data: bytes },
    ]);
    const response = await download(KEYS.viewer);
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.concat([bytes, bytes]));
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/html',
      'content-disposition': `attachment; filename="_bersicht _1_.html"; filename*=UTF-8''%C3%9Cbersicht%20%221%22.html`,
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    });
  });

  it.each([
    ['no type', undefined],
    ['a type that would add a header', 'text/html\r\nx-evil: 1'],
    ['a type with parameters', 'text/html; charset=utf-7'],
  ])('says bytes for %s', async (_, mimeType) => {
    gateway.executions.files.set('e1.1.file-a', [
      mimeType === undefined ? { data: Buffer.from('x') } : { data: Buffer.from('x'), mimeType },
    ]);
    const response = await download();
    expect([
      response.headers.get('content-type'),
      response.headers.get('content-disposition'),
      await response.text(),
    ]).toEqual(['application/octet-stream', 'attachment', 'x']);
  });

  it('never takes a path for a name', async () => {
    gateway.executions.files.set('e1.1.file-a', [
      { data: Buffer.from('x'), mimeType: 'text/plain', fileName: '..\\..\\etc/passwd\n' },
    ]);
    expect((await download()).headers.get('content-disposition')).toBe(
      `attachment; filename="passwd"; filename*=UTF-8''passwd`,
    );
  });

  it('cuts the connection when the file breaks off', async () => {
    gateway.executions.files.set('e1.1.file-a', [
      { data: Buffer.alloc(100_000), mimeType: 'text/plain' },
      { data: Buffer.from('BREAK') },
    ]);
    await expect(download().then((response) => response.arrayBuffer())).rejects.toThrow();
  });

  it('is 404 for an execution that is not there, and 400 for what is no reference', async () => {
    expect((await gateway.api('GET', '/executions/e9/binary/e9.1.file-a')).status).toBe(404);
    expect((await gateway.api('GET', `/executions/e1/binary/${'x'.repeat(300)}`)).status).toBe(400);
  });
});
