import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createBatcher } from '../src/batching';
import { defineConfig, processFields } from '../src/config';
import { currentContext, withContext } from '../src/context';
import { createLogger } from '../src/logging';
import { beginSpan, startTracing } from '../src/tracing';
import { createRecorder, type RecorderOptions } from '../src/tracing/recorder';
import { traceIdOf } from '../src/tracing/span';

const CALLER = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331';

describe('spans', () => {
  let server: Server;
  let endpoint: string;
  let status = 200;
  const requests: { path: string | undefined; headers: NodeJS.Dict<string | string[]>; body: string }[] = [];
  const lines: string[] = [];
  const logger = createLogger('test', 'info', { write: (line) => void lines.push(line) });
  beforeAll(async () => {
    server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const body = Buffer.concat(parts).toString('latin1');
        requests.push({ path: request.url, headers: request.headers, body });
        response.writeHead(status).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    requests.length = 0;
    lines.length = 0;
    status = 200;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const open = (options: Partial<RecorderOptions> = {}) =>
    createRecorder({
      service: 'test',
      version: 'c0ffee',
      endpoint,
      headers: {},
      ratio: 1,
      delayMs: 100,
      logger,
      ...options,
    });

  it('are not begun without a receiver; with one, a tenth of the traces is recorded by default', async () => {
    const settings = defineConfig(processFields(0, 0)).load({});
    expect([settings.tracesEndpoint, settings.tracesPercent]).toEqual(['', 10]);
    await startTracing('test', settings, logger);
    expect(beginSpan({ name: 'a', kind: 'server', parent: `${CALLER}-01` })).toBeUndefined();
  });

  it('are sent to the receiver with its headers, at the latest when the process ends', async () => {
    const recorder = open({ headers: { 'x-tenant': 'weft' }, endpoint: `${endpoint}/` });
    recorder.begin({ name: 'one', kind: 'server' }).end();
    await recorder.close();
    expect(requests.map(({ path }) => path)).toEqual(['/v1/traces']);
    expect(requests[0]?.headers).toMatchObject({ 'x-tenant': 'weft', 'content-type': 'application/x-protobuf' });
  });

  it('follow the sampling decision of their caller, whatever the percentage', async () => {
    const never = open({ ratio: 0 });
    const always = open({ ratio: 1 });
    expect(never.begin({ name: 'a', kind: 'server', parent: `${CALLER}-01` }).isRecorded).toBe(true);
    expect(always.begin({ name: 'a', kind: 'server', parent: `${CALLER}-00` }).isRecorded).toBe(false);
    expect(never.begin({ name: 'a', kind: 'server' }).isRecorded).toBe(false);
    expect(always.begin({ name: 'a', kind: 'server' }).isRecorded).toBe(true);
    await Promise.all([never.close(), always.close()]);
  });

  it('belong to the trace of their caller, and to a new one if its traceparent is invalid', async () => {
    const recorder = open();
    const child = recorder.begin({ name: 'a', kind: 'server', parent: `${CALLER}-01` });
    expect(child.traceparent).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01$/);
    expect(child.traceparent).not.toContain('b7ad6b7169203331');
    const grandchild = recorder.begin({ name: 'b', kind: 'client', parent: child });
    expect(traceIdOf(grandchild)).toBe(traceIdOf(child));
    for (const parent of ['', 'x', `${CALLER}-0`, CALLER.replaceAll(/[0-9a-f]/g, '0'), `ff${CALLER.slice(2)}-01`])
      expect(traceIdOf(recorder.begin({ name: 'a', kind: 'server', parent }))).not.toBe(traceIdOf(child));
    await recorder.close();
  });

  it('of a trace that is not recorded create no child spans: its context is passed on', async () => {
    const recorder = open();
    const first = recorder.begin({ name: 'a', kind: 'server', parent: `${CALLER}-00` });
    expect(recorder.begin({ name: 'b', kind: 'client', parent: first })).toBe(first);
    first.end();
    await recorder.close();
    expect(requests).toEqual([]);
  });

  it('of new traces that are not recorded have unique ids', async () => {
    const recorder = open({ ratio: 0 });
    const begun = Array.from({ length: 1_000 }, () => recorder.begin({ name: 'a', kind: 'server' }).traceparent);
    expect(new Set(begun.map((traceparent) => traceparent.slice(3, 35))).size).toBe(1_000);
    expect(begun.filter((traceparent) => !/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/.test(traceparent))).toEqual([]);
    await recorder.close();
    expect(requests).toEqual([]);
  });

  it('begin as many recorded traces as the percentage says', async () => {
    const recorder = open({ ratio: 0.1 });
    const begun = Array.from({ length: 2_000 }, () => recorder.begin({ name: 'a', kind: 'server' }));
    const count = begun.filter(({ isRecorded }) => isRecorded).length;
    // Eight standard deviations on either side.
    expect([count > 92, count < 308]).toEqual([true, true]);
    await recorder.close();
  });

  it('with a link to an earlier trace are recorded if that was, in a separate trace', async () => {
    const recorder = open({ ratio: 0 });
    const later = recorder.begin({ name: 'a', kind: 'consumer', link: `${CALLER}-01` });
    expect(later.isRecorded).toBe(true);
    expect(traceIdOf(later)).not.toBe('0af7651916cd43dd8448eb211c80319c');
    expect(open().begin({ name: 'a', kind: 'consumer', link: `${CALLER}-00` }).isRecorded).toBe(false);
    await recorder.close();
  });

  it('that a receiver refuses are lost, and one log line says so', async () => {
    status = 400;
    const recorder = open();
    recorder.begin({ name: 'a', kind: 'server' }).end();
    await recorder.close();
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 40, spans: 1 }]);
  });

  it('are dropped beyond 2,048 that wait, and one log line says how many', async () => {
    const recorder = open();
    // The first 1,024 are already being sent.
    for (let index = 0; index < 5_000; index += 1) recorder.begin({ name: `span ${index};`, kind: 'server' }).end();
    await recorder.close();
    const names = requests.map(({ body }) => body.match(/span \d+;/g) ?? []);
    expect(names.map(({ length }) => length)).toEqual([1_024, 1_024, 1_024]);
    expect(new Set(names.flat())).toEqual(new Set(Array.from({ length: 3_072 }, (_, index) => `span ${index};`)));
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 40, spans: 1_928 },
      { level: 30, failures: 1 },
    ]);
  });

  it('are sent once, with the last changes', async () => {
    const recorder = open();
    const span = recorder.begin({ name: 'first;', kind: 'server', attributes: { kept: 'kept;', told: 'before;' } });
    span.note({ told: 'after;' });
    span.rename('second;');
    span.end('a failure;');
    span.end();
    await recorder.close();
    expect(requests.map(({ body }) => body.match(/[a-z ]+;/g))).toEqual([['second;', 'kept;', 'after;', 'a failure;']]);
  });

  it('have names and attributes of at most 512 characters, and at most 32 attributes', async () => {
    const recorder = open();
    const attributes = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`key${index}`, 'v'.repeat(5_000)]));
    recorder.begin({ name: 'n'.repeat(600), kind: 'server', attributes }).end();
    await recorder.close();
    const body = requests[0]?.body ?? '';
    expect(body.match(/v{100,}/g)?.map(({ length }) => length)).toEqual(Array(32).fill(512));
    expect(/n{100,}/.exec(body)?.[0]).toHaveLength(512);
  });

  it('include the work of a batch for several calls, without their deadlines', async () => {
    const recorder = open();
    const span = recorder.begin({ name: 'a', kind: 'server' });
    const seen: unknown[] = [];
    const call = createBatcher<number, number>({
      maxBatch: 10,
      concurrency: 1,
      maxQueued: 10,
      flush: (items) => {
        seen.push(currentContext());
        return Promise.resolve([...items]);
      },
    });
    await Promise.all([
      withContext({ requestId: 'untraced', deadline: 0 }, () => call(1)),
      withContext({ requestId: 'traced', deadline: 0, span }, () => call(2)),
    ]);
    expect(seen).toEqual([{ requestId: 'traced', span }]);
    await recorder.close();
  });
});
