import { registry } from '@weft/service-kit/metrics';
import { closeAfterEach, keptLog, until } from '@weft/service-kit/testing';
import type { Socket } from 'node:net';
import { KEYS } from '../peers/identity';
import { formAt, webhookAt } from '../peers/workflows';
import { unfinishedRequest } from '../support/raw-request';
import { gatewaysOfEachTest, type TestGateway } from '../support/start-gateway';

/** Maximum concurrent requests with files. */
const UPLOADS = 32;
const ROOM_MS = 5_000;

const MULTIPART = 'multipart/form-data; boundary=B';
const FILE = '--B\r\nContent-Disposition: form-data; name="field-0"; filename="x"\r\n\r\nabc';

/** Every way of receiving a body: its path, its type, and how it begins. */
const WAYS: readonly (readonly [way: string, path: string, type: string, begin: string])[] = [
  ['JSON for the API', '/api/v1/workflows', 'application/json', '{"name":'],
  ['JSON for the settings page', '/settings/api/session', 'application/json', '{"email":'],
  ['JSON for a webhook', '/webhook/plain', 'application/json', '{"a":'],
  ['the files of a webhook', '/webhook/plain', MULTIPART, FILE],
  ['a whole body that is a file', '/webhook/whole', 'image/png', 'abc'],
  ['the fields of a form', '/form/form', 'application/x-www-form-urlencoded', 'field-0=a'],
  ['the files of a form', '/form/form', MULTIPART, FILE],
];

/** Level of ordinary log lines. */
const INFO = 30;
const isFault = (line: Readonly<Record<string, unknown>>): boolean => Number(line['level']) > INFO || 'err' in line;

/** Requests that this process has counted as refused, and as its own errors. */
const countedFaults = async (): Promise<readonly string[]> =>
  (await registry.metrics())
    .split('\n')
    .filter((line) => line.startsWith('weft_requests_refused_total') || line.includes('class="5xx"'));

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
    await until('there is no room for another', async () => (await status()) === 503);
    aborted.destroy();
    await until('there is room again', async () => (await status()) === 201, ROOM_MS);
  });

  it('releases its slot among the requests with files', async () => {
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

  it.each(WAYS)('is logged and counted as aborted, never as a fault: %s', async (_way, path, type, begun) => {
    const log = keptLog('debug');
    const gateway = await start({}, log.logger);
    gateway.workflows.webhooks
      .set('POST plain', webhookAt())
      .set('POST whole', webhookAt({}, { wholeBody: 'always' }))
      .set('FORM form', formAt());
    const linesOf = (message: string) => log.lines.filter((line) => line['msg'] === message);
    const headers = {
      'x-svc-api-key': KEYS.owner,
      'x-weft-settings': '1',
      'x-request-id': 'aborted-1',
      'content-type': type,
      'content-length': '50000',
      // It is answered once the body is read; only then can it be aborted.
      expect: '100-continue',
    };
    const before = await countedFaults();
    const socket = await begin(gateway.port, 'POST', path, headers, begun);
    await new Promise((asked) => socket.once('data', asked));
    socket.destroy();
    await until('it is told', () => linesOf('request aborted by its sender').length > 0);
    await until('its line is written', () => linesOf('request').length > 0);
    expect(linesOf('request')).toEqual([expect.objectContaining({ requestId: 'aborted-1', aborted: true })]);
    expect(linesOf('request')[0]).not.toHaveProperty('status');
    expect(log.lines.filter(isFault)).toEqual([]);
    expect(await countedFaults()).toEqual(before);
    expect(gateway.executions.callsOf('startExecutions')).toEqual([]);
  });

  it('releases its slot immediately if it left before its body was requested', async () => {
    const log = keptLog();
    const { ask, port, workflows }: TestGateway = await start({}, log.logger);
    workflows.webhooks.set('POST hook', webhookAt());
    const type = { 'content-type': MULTIPART };
    const release = workflows.hold('resolveWebhooks');
    const left = await Promise.all(
      Array.from({ length: UPLOADS }, () =>
        begin(port, 'POST', '/webhook/hook', { ...type, 'content-length': '100000' }, FILE),
      ),
    );
    await until('their workflow is looked for', () => workflows.callsOf('resolveWebhooks').length > 0);
    for (const socket of left) socket.destroy();
    await until('all have left', () => log.lines.filter((line) => line['aborted'] === true).length === UPLOADS);
    release();
    const reply = await ask('POST', '/webhook/hook', { body: `${FILE}\r\n--B--\r\n`, headers: type });
    expect([reply.status, reply.json.error]).toEqual([200, undefined]);
  });
});
