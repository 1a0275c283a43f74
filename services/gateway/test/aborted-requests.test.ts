import { closeAfterEach, until } from '@weft/service-kit/testing';
import type { Socket } from 'node:net';
import { KEYS } from './peers/identity';
import { webhookAt } from './peers/workflows';
import { unfinishedRequest } from './raw-request';
import { gatewaysOfEachTest, type TestGateway } from './start-gateway';

/** Number of requests whose files are received concurrently. */
const UPLOADS = 32;
const ROOM_MS = 5_000;

describe('a request whose sender disconnects in the middle of its body', () => {
  const start = gatewaysOfEachTest();
  const later = closeAfterEach();
  const begin = async (...request: Parameters<typeof unfinishedRequest>): Promise<Socket> =>
    later(await unfinishedRequest(...request), (socket) => socket.destroy());

  it('releases the memory of what was received', async () => {
    const { api, port } = await start({ BODY_MEMORY_MB: '10' });
    const body = JSON.stringify({ name: 'n', nodes: [], connections: {}, notes: 'x'.repeat(6_000_000) });
    const status = async (): Promise<number> => (await api('POST', '/workflows', { body })).status;
    const headers = {
      'x-svc-api-key': KEYS.owner,
      'content-type': 'application/json',
      'content-length': String(body.length + 1),
    };
    const aborted = await begin(port, 'POST', '/api/v1/workflows', headers, body);
    await until('there is no room beside it', async () => (await status()) === 503);
    aborted.destroy();
    await until('there is room again', async () => (await status()) === 201, ROOM_MS);
  });

  it('releases its place among the requests with files', async () => {
    const { ask, port, workflows }: TestGateway = await start();
    workflows.webhooks.set('POST hook', webhookAt({}, { wholeBody: 'other' }));
    const type = 'multipart/form-data; boundary=B';
    const file = '--B\r\nContent-Disposition: form-data; name="a"; filename="x"\r\n\r\nabc';
    const status = async (): Promise<number> =>
      (await ask('POST', '/webhook/hook', { body: `${file}\r\n--B--\r\n`, headers: { 'content-type': type } })).status;
    const headers = { 'content-type': type, 'content-length': '100000' };
    const aborted = await Promise.all(
      Array.from({ length: UPLOADS }, () => begin(port, 'POST', '/webhook/hook', headers, file)),
    );
    await until('all places are taken', async () => (await status()) === 503);
    for (const socket of aborted) socket.destroy();
    await until('there is a place again', async () => (await status()) === 200, ROOM_MS);
  });
});
