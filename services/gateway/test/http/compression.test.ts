import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { compressAnswer, createCompression } from '../../src/middleware/responses/compress-answer';
import type { Answer } from '../../src/middleware/responses/write-answer';
import { KEYS } from '../peers/identity';
import { rawBytes, rawRequest } from '../support/raw-request';
import { startGateway, type TestGateway } from '../support/start-gateway';

describe('responses of the API', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.stop());

  const raw = async (path: string, coding?: string) => {
    const { status, headers } = await rawRequest(gateway.port, 'GET', `/api/v1${path}`, {
      'x-svc-api-key': KEYS.owner,
      ...(coding === undefined ? {} : { 'accept-encoding': coding }),
    });
    expect(status).toBe(200);
    return headers;
  };

  it('are compressed if they are long and the client accepts it', async () => {
    for (const coding of ['gzip', 'br'])
      expect(await raw('/node-types', coding)).toMatchObject({ vary: 'Accept-Encoding' });
    const document = await raw('/openapi.json', 'gzip, br');
    expect([document['content-encoding'], document['vary']]).toEqual(['br', 'Accept-Encoding']);
    const small = await raw('/workflows', 'gzip');
    expect([small['content-encoding'], small['vary']]).toEqual([undefined, 'Accept-Encoding']);
    expect((await raw('/openapi.json'))['content-encoding']).toBeUndefined();
  });

  it('reach senders of a whole refused body that close the connection', async () => {
    const size = 12_000_000;
    const request =
      `POST /api/v1/workflows HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-SVC-API-KEY: ${KEYS.owner}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${size}\r\n\r\n${' '.repeat(size)}`;
    expect(await rawBytes(gateway.port, request)).toMatch(/^HTTP\/1\.1 413 [\s\S]*PAYLOAD_TOO_LARGE/);
  });
});

describe('the compression of a response', () => {
  const LONG = `{"data":"${'weft '.repeat(4_000)}"}`;
  const request = (coding: string) => ({ method: 'GET', headers: { 'accept-encoding': coding } });
  const here = { destroyed: false };
  const pieces = async function* (): AsyncGenerator<string> {
    for (let at = 0; at < LONG.length; at += 1_000) yield LONG.slice(at, at + 1_000);
  };
  const read = async (answer: Answer): Promise<Buffer> => {
    if (!('parts' in answer)) return Buffer.from(answer.json);
    const chunks: Uint8Array[] = [];
    for await (const part of answer.parts) chunks.push(Buffer.from(part));
    return Buffer.concat(chunks);
  };

  it.each([
    ['text', (): Answer => ({ status: 200, json: LONG })],
    ['a stream', (): Answer => ({ status: 200, parts: pieces() })],
  ])('keeps %s, in either coding', async (_kind, make) => {
    const gzip = await compressAnswer(request('gzip'), here, make(), createCompression());
    const br = await compressAnswer(request('br;q=1, gzip;q=0.5'), here, make(), createCompression());
    expect([gzip.headers?.['content-encoding'], br.headers?.['content-encoding']]).toEqual(['gzip', 'br']);
    expect([gunzipSync(await read(gzip)).toString(), brotliDecompressSync(await read(br)).toString()]).toEqual([
      LONG,
      LONG,
    ]);
  });

  it('leaves files, event streams and short responses alone', async () => {
    for (const type of ['text/event-stream', 'application/octet-stream', 'image/png']) {
      const answer: Answer = { status: 200, headers: { 'content-type': type }, parts: pieces() };
      expect(await compressAnswer(request('gzip'), here, answer, createCompression())).toBe(answer);
    }
    const short: Answer = { status: 200, json: '{"data":[]}' };
    expect(await compressAnswer(request('gzip'), here, short, createCompression())).toMatchObject(short);
  });

  it('is bounded: while slow readers hold all slots, others get their responses as they are', async () => {
    const compression = createCompression(2);
    const slow = await Promise.all(
      [1, 2].map(() => compressAnswer(request('gzip'), here, { status: 200, parts: pieces() }, compression)),
    );
    const started = slow.map((answer) => ('parts' in answer ? answer.parts[Symbol.asyncIterator]() : undefined));
    for (const one of started) await one?.next();
    const plain = await compressAnswer(request('gzip'), here, { status: 200, parts: pieces() }, compression);
    expect([plain.headers?.['content-encoding'], (await read(plain)).toString()]).toEqual([undefined, LONG]);
    for (const one of started) await one?.return?.();
    const again = await compressAnswer(request('gzip'), here, { status: 200, json: LONG }, compression);
    expect(again.headers?.['content-encoding']).toBe('gzip');
    expect(gunzipSync(await read(again)).toString()).toBe(LONG);
    expect(compression.underWay).toBe(0);
  });

  it('ends the source of a response whose client has left', async () => {
    let ended = false;
    const source = async function* (): AsyncGenerator<string> {
      try {
        yield* pieces();
      } finally {
        ended = true;
      }
    };
    await compressAnswer(request('gzip'), { destroyed: true }, { status: 200, parts: source() }, createCompression());
    expect(ended).toBe(true);
  });
});
