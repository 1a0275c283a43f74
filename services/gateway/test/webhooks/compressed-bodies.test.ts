import type { WebhookSettings } from '@weft/proto/channels';
import { isJsonObject } from '@weft/service-kit/json';
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { callerRules } from '../peers/ingress-settings';
import { webhookAt } from '../peers/workflows';
import { startGateway, type TestGateway } from '../support/start-gateway';

const CODINGS: readonly (readonly [coding: string, compress: (bytes: Buffer) => Buffer])[] = [
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } })],
  ['zstd', zstdCompressSync],
  ['GZIP, br', (bytes) => brotliCompressSync(gzipSync(bytes))],
];

describe('compressed bodies of webhooks', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    set({});
  });
  afterEach(() => gateway.stop());

  const set = (settings: Partial<WebhookSettings>) =>
    gateway.workflows.webhooks.set('POST hook', webhookAt({}, settings));
  const send = (coding: string, body: Buffer, type = 'application/json') =>
    gateway.ask('POST', '/webhook/hook', { body, headers: { 'content-type': type, 'content-encoding': coding } });
  const starts = () =>
    gateway.executions
      .callsOf('startExecutions')
      .flatMap(({ request }) =>
        isJsonObject(request) && Array.isArray(request['starts']) ? request['starts'].filter(isJsonObject) : [],
      );
  const item = (): unknown => {
    const input = starts().at(-1)?.['input'];
    return Buffer.isBuffer(input) ? JSON.parse(input.toString())[0] : undefined;
  };

  it.each(CODINGS)('are read: %s', async (coding, compress) => {
    const large = { text: 'ä'.repeat(300_000), end: 1 };
    expect((await send(coding, compress(Buffer.from(JSON.stringify(large))))).status).toBe(200);
    expect(item()).toMatchObject({ json: { body: large } });
    expect((await send(coding, compress(Buffer.from('a=1&b=2')), 'application/x-www-form-urlencoded')).status).toBe(
      200,
    );
    expect(item()).toMatchObject({ json: { body: { a: '1', b: '2' } } });
  });

  it.each(CODINGS)('are read as parts and as a file: %s', async (coding, compress) => {
    set({ wholeBody: 'other' });
    const parts =
      '--B\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n' +
      '--B\r\nContent-Disposition: form-data; name="f"; filename="f.txt"\r\n\r\nfile\r\n--B--\r\n';
    expect((await send(coding, compress(Buffer.from(parts)), 'multipart/form-data; boundary=B')).status).toBe(200);
    expect(item()).toMatchObject({ json: { body: { a: '1' } }, binary: { f: { fileSize: 4 } } });
    expect((await send(coding, compress(Buffer.alloc(100_000, 7)), 'application/octet-stream')).status).toBe(200);
    expect(item()).toMatchObject({ binary: { data: { fileSize: 100_000 } } });
  });

  const field = (bytes: number): Buffer =>
    Buffer.from(`--B\r\nContent-Disposition: form-data; name="a"\r\n\r\n${' '.repeat(bytes)}\r\n--B--\r\n`);

  it.each(CODINGS)('are bounded by their size after decompression: %s', async (coding, compress) => {
    const { status, json } = await send(coding, compress(Buffer.alloc(11_000_000, 0x20)));
    expect([status, json.error?.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect((await send(coding, compress(field(11_000_000)), 'multipart/form-data; boundary=B')).status).toBe(413);
    expect(starts()).toEqual([]);
  });

  it('are not decompressed beyond their limit', async () => {
    set({ wholeBody: 'other' });
    const bomb = gzipSync(Buffer.alloc(400_000_000, 0x20));
    const before = process.memoryUsage();
    const began = performance.now();
    for (const type of [
      'application/json',
      'text/plain',
      'application/octet-stream',
      'multipart/form-data; boundary=B',
    ])
      expect((await send('gzip', bomb, type)).status).toBe(413);
    const after = process.memoryUsage();
    expect([performance.now() - began < 20_000, after.rss - before.rss < 200_000_000]).toEqual([true, true]);
  });

  it.each(CODINGS)('that are damaged or cut off are refused: %s', async (coding, compress) => {
    const whole = compress(Buffer.from(JSON.stringify({ text: 'abc'.repeat(1_000) })));
    for (const body of [Buffer.from('{"a":1}'), whole.subarray(0, whole.length - 9)]) {
      const { status, json } = await send(coding, body);
      expect([status, json.error?.message]).toEqual([400, expect.stringContaining('cannot be decompressed')]);
    }
    set({ wholeBody: 'other' });
    expect((await send(coding, Buffer.from('x'), 'multipart/form-data; boundary=B')).status).toBe(400);
    expect((await send(coding, Buffer.from('x'), 'image/png')).status).toBe(400);
    expect(starts()).toEqual([]);
  });

  it('are refused with the known codings for any other', async () => {
    for (const coding of ['compress', 'gzip, gzip, gzip', 'klingon']) {
      const { status, json } = await send(coding, gzipSync('{}'));
      expect([status, JSON.stringify(json)]).toEqual([400, expect.stringContaining('gzip, deflate, br or zstd')]);
    }
    expect((await send('identity', Buffer.from('{"a":1}'))).status).toBe(200);
  });

  it('do not require more memory for a window than RFC 8878 recommends', async () => {
    const params = { [constants.ZSTD_c_windowLog]: 27, [constants.ZSTD_c_enableLongDistanceMatching]: 1 };
    const body = zstdCompressSync(Buffer.alloc(9_000_000, 0x20), { params });
    expect([200, 400]).toContain((await send('zstd', body)).status);
  });

  it('are verified as signed: before they were compressed', async () => {
    set({ callers: callerRules({ authentication: 'signature', credentialId: 'c1' }) });
    const told = { granted: false, refusalStatus: 403, claimsJson: '', secretHeader: 'x-signature', needsBody: true };
    gateway.credentials.told.webhookAuth = told;
    gateway.credentials.told.signedBody = { ...told, granted: true };
    expect((await send('gzip', gzipSync('{"a":1}'))).status).toBe(200);
    const asked = gateway.credentials.callsOf('verifyWebhookAuth').at(-1)?.request;
    expect(isJsonObject(asked) && Buffer.isBuffer(asked['body']) ? asked['body'].toString() : '').toBe('{"a":1}');
  });
});
