import { until } from '@weft/service-kit/testing';
import type { Socket } from 'node:net';
import { PAGE_HEADER } from '../../src/console/check-same-site';
import { KEYS } from '../peers/identity';
import { webhookAt } from '../peers/workflows';
import { unfinishedRequest } from '../support/raw-request';
import { startGateway, type TestGateway } from '../support/start-gateway';

const HEALTHY = '192.0.2.7';
const json = (bytes: number): string => JSON.stringify({ text: 'x'.repeat(bytes) });
const KB = 1_000;
const MB = 1_000_000;

type CallerClass = 'webhook' | 'key' | 'session';
type Send = (from: string, bytes: number) => Promise<number>;

/** Where callers of each class send bodies, and how they authenticate. */
const PLACES: Readonly<Record<CallerClass, { readonly path: string; readonly headers: Record<string, string> }>> = {
  webhook: { path: '/webhook/hook', headers: {} },
  key: { path: '/api/v1/workflows', headers: { 'x-svc-api-key': KEYS.editor } },
  session: { path: '/settings/api/session', headers: { [PAGE_HEADER]: '1' } },
};

/** A body accepted by each class, with a field of this many bytes. */
const bodyOf = (bytes: number): string =>
  JSON.stringify({ name: 'n', nodes: [], email: 'a@example.com', password: 'x', notes: 'x'.repeat(bytes) });

describe('memory for bodies', () => {
  let gateway: TestGateway;
  let open: Socket[] = [];
  afterEach(async () => {
    for (const socket of open) socket.destroy();
    open = [];
    await gateway.stop();
  });

  /** Gateways behind a proxy that reports the sender: each address is another client. */
  const start = async (memoryMb: number): Promise<void> => {
    gateway = await startGateway({ TRUST_PROXY: '1', BODY_MEMORY_MB: String(memoryMb) });
    gateway.workflows.webhooks.set('POST hook', webhookAt());
  };
  const senderOf =
    (name: CallerClass): Send =>
    async (from, bytes) => {
      const { path, headers } = PLACES[name];
      const all = { ...headers, 'content-type': 'application/json', 'x-forwarded-for': from };
      return (await gateway.ask('POST', path, { headers: all, body: bodyOf(bytes) })).status;
    };
  /** Bodies that do not end, from as many addresses. */
  const fill = async (name: CallerClass, addresses: readonly string[], bytes: number): Promise<void> => {
    const { path, headers } = PLACES[name];
    const body = json(bytes);
    const length = { 'content-type': 'application/json', 'content-length': String(body.length + 500) };
    // All concurrently: a stalled body is given up after a few seconds.
    const begun = addresses.map((from) =>
      unfinishedRequest(gateway.port, 'POST', path, { ...headers, ...length, 'x-forwarded-for': from }, body),
    );
    // The connection of a refused one may be closed before all of it was sent.
    for (const sent of await Promise.allSettled(begun)) if (sent.status === 'fulfilled') open.push(sent.value);
  };
  const addresses = (count: number): readonly string[] =>
    Array.from({ length: count }, (_, n) => `198.51.${100 + Math.floor(n / 250)}.${1 + (n % 250)}`);
  /**
   * Fills the memory until one more body is refused. Earlier bodies may not have been read yet when that one arrives:
   * it then takes the slot of one of them, which is free again after its response.
   */
  const fillUntilRefused = (name: CallerClass, from: readonly string[], bytes: number, next: string) =>
    until(`${name} of ${next} is refused`, async () => {
      await fill(name, from, bytes);
      return (await senderOf(name)(next, bytes)) === 503;
    });

  // Two classes have three quarters each: if all of it were taken, the 8 MB of another would not fit.
  it.each<[CallerClass, number, number, number, number]>([
    ['webhook', 40, 6, 9 * MB, 8 * MB],
    ['key', 40, 6, 9 * MB, 8 * MB],
    ['session', 16, 280, 60 * KB, 5 * MB],
  ])(
    'that callers of the class %s fill from many addresses has room for those of all others',
    async (attacker, memoryMb, senders, bytes, healthyBytes) => {
      await start(memoryMb);
      await fillUntilRefused(attacker, addresses(senders), bytes, '203.0.113.9');
      const others = (['webhook', 'key', 'session'] as const).filter((name) => name !== attacker);
      const statuses: [CallerClass, number][] = [];
      for (const name of others) {
        const status = await senderOf(name)(HEALTHY, name === 'session' ? 1 * KB : healthyBytes);
        statuses.push([name, status]);
      }
      // All bodies were read: a wrong password is 401 or 400, a missing header of the page would be 403.
      expect(statuses.filter(([, status]) => status === 503 || status === 403)).toEqual([]);
      // Stalled bodies are given up after a few seconds, so they are sent again.
      await fillUntilRefused(attacker, addresses(senders), bytes, '203.0.113.9');
    },
  );

  it('has room for another user of the same class when one hostile user fills its share', async () => {
    await start(40);
    const hostile = '198.51.100.66';
    await fillUntilRefused(
      'key',
      Array.from({ length: 6 }, () => hostile),
      9 * MB,
      hostile,
    );
    expect(await senderOf('key')(HEALTHY, 8 * MB)).toBe(201);
    expect(await senderOf('key')(hostile, 8 * MB)).toBe(503);
  });

  it('is not used by callers without a key, who get a response before their body is read', async () => {
    await start(40);
    const { path } = PLACES.key;
    const body = json(9 * MB);
    const headers = { 'content-type': 'application/json', 'content-length': String(body.length + 500) };
    const begun = addresses(6).map((from) =>
      unfinishedRequest(gateway.port, 'POST', path, { ...headers, 'x-forwarded-for': from }, body),
    );
    open.push(...(await Promise.all(begun)));
    const statuses = [await senderOf('key')(HEALTHY, 9 * MB), await senderOf('webhook')(HEALTHY, 9 * MB)];
    expect(statuses).toEqual([201, 200]);
  });
});
