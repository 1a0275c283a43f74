import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** The outside world that nodes call. Counts the calls. */
export interface Sink {
  readonly url: string;
  /** Times of the calls of each idempotency key, in milliseconds of the harness's clock. */
  readonly calls: ReadonlyMap<string, readonly number[]>;
  /** The schedule times that were reported, each with the keys of the calls that reported it. */
  readonly ticks: ReadonlyMap<string, ReadonlySet<string>>;
  /** The failed executions that were reported, each with the keys of the calls that reported it. */
  readonly failures: ReadonlyMap<string, ReadonlySet<string>>;
  /** Called with the execution id and the caller's port for each call of `/poison`, before it is answered. */
  onPoison: (executionId: string, callerPort: number) => Promise<void>;
  readonly stop: () => Promise<void>;
}

const MAX_BODY = 1_000_000;
const MAX_DELAY_MS = 60_000;
const MAX_BULK = 120_000_000;

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    const bytes = Buffer.from(part);
    size += bytes.length;
    if (size <= MAX_BODY) parts.push(bytes);
  }
  return Buffer.concat(parts).toString('utf8');
};

const numberOf = (text: string | null, most: number): number => Math.min(most, Math.max(0, Number(text ?? '0') || 0));

/** JSON of about that size: a list of objects, like a table export. */
const bulkOf = (bytes: number): Buffer => {
  const row = JSON.stringify({ id: 1, text: 'x'.repeat(180) });
  const rows = Array.from({ length: Math.max(1, Math.floor(bytes / (row.length + 1))) }, () => row);
  return Buffer.from(`{"rows":[${rows.join(',')}]}`);
};

/**
 * Starts the sink on a free port of 127.0.0.1.
 * - `/effect?ms=`: counted, answered after that delay. `/tick?due=`: the same, noted under the due time.
 * - `/refuse?ms=`: counted, answered with 500 after that delay. `/failed?of=`: counted, noted under the execution id.
 * - `/bulk?bytes=`: counted, answered with JSON of that size. `/poison`: counted, answered when {@link Sink.onPoison}
 *   is done.
 */
export const startSink = async (): Promise<Sink> => {
  const calls = new Map<string, number[]>();
  const ticks = new Map<string, Set<string>>();
  const failures = new Map<string, Set<string>>();
  const bulks = new Map<number, Buffer>();
  let onPoison: Sink['onPoison'] = () => Promise.resolve();

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://sink');
    const given = request.headers['idempotency-key'];
    const key = typeof given === 'string' ? given : `no key: ${pathname}`;
    await bodyOf(request);
    const earlier = calls.get(key);
    if (earlier === undefined) calls.set(key, [Date.now()]);
    else earlier.push(Date.now());
    if (pathname === '/poison') await onPoison(key.split(':')[0] ?? '', request.socket.remotePort ?? 0);
    if (pathname === '/tick') {
      const due = searchParams.get('due') ?? '';
      ticks.set(due, (ticks.get(due) ?? new Set<string>()).add(key));
    }
    if (pathname === '/failed') {
      const of = searchParams.get('of') ?? '';
      failures.set(of, (failures.get(of) ?? new Set<string>()).add(key));
    }
    await sleep(numberOf(searchParams.get('ms'), MAX_DELAY_MS));
    if (pathname === '/refuse') response.statusCode = 500;
    response.setHeader('content-type', 'application/json');
    if (pathname !== '/bulk') return void response.end('{"ok":true}');
    const bytes = numberOf(searchParams.get('bytes'), MAX_BULK);
    const body = bulks.get(bytes) ?? bulkOf(bytes);
    bulks.set(bytes, body);
    response.end(body);
  };
  const server = createServer((request, response) => {
    // a caller that has left needs no answer; its call is counted
    answer(request, response).catch(() => response.destroy());
  });
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen({ port: 0, host: '127.0.0.1' }, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    ticks,
    failures,
    get onPoison() {
      return onPoison;
    },
    set onPoison(next) {
      onPoison = next;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
