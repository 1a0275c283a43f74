import { until } from '@weft/service-kit/testing';
import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { PAGE_HEADER } from '../../src/console/check-same-site';
import { webhookAt } from '../peers/workflows';
import { rawRequest, unfinishedRequest } from '../support/raw-request';
import { startGateway, type TestGateway } from '../support/start-gateway';

const STRANGER = { 'x-forwarded-for': '192.0.2.66' };
const OTHER = { 'x-forwarded-for': '192.0.2.7' };
const json = (bytes: number): string => JSON.stringify({ text: 'x'.repeat(bytes) });

describe('a stranger who uses all it can get', () => {
  let gateway: TestGateway;
  let open: Socket[] = [];
  beforeEach(async () => {
    // Of 40 MB, all webhooks together may hold 30, and one address 15.
    gateway = await startGateway({ TRUST_PROXY: '1', BODY_MEMORY_MB: '40' });
    gateway.workflows.webhooks.set('POST hook', webhookAt());
  });
  afterEach(async () => {
    for (const socket of open) socket.destroy();
    open = [];
    await gateway.stop();
  });
  const begin = async (headers: Readonly<Record<string, string>>, body: string): Promise<void> => {
    open.push(await unfinishedRequest(gateway.port, 'POST', '/webhook/hook', { ...STRANGER, ...headers }, body));
  };
  const post = async (headers: Readonly<Record<string, string>>, body: string): Promise<[number, unknown]> => {
    const reply = await gateway.ask('POST', '/webhook/hook', { headers, body });
    return [reply.status, reply.json.error?.details?.['reason']];
  };

  it('gets only its share of the memory for bodies, and leaves that of others and of keys', async () => {
    const headers = { 'content-type': 'application/json', 'content-length': '9900000' };
    for (let n = 0; n < 6; n += 1) await begin(headers, json(9_000_000));
    await until('its share is taken', async () => (await post(STRANGER, json(8_000_000)))[0] === 503);
    expect(await post(STRANGER, json(8_000_000))).toEqual([503, 'BODY_MEMORY_FULL']);
    expect(await post(OTHER, json(8_000_000))).toEqual([200, undefined]);
    const body = { name: 'n', nodes: [], notes: 'x'.repeat(8_000_000) };
    expect((await gateway.api('POST', '/workflows', { body })).status).toBe(201);
    const signIn = { body: { email: 'owner@example.com', password: 'x' }, headers: { [PAGE_HEADER]: '1' } };
    // Its body was read: without the header of the page it would be 403.
    expect([503, 403]).not.toContain((await gateway.ask('POST', '/settings/api/session', signIn)).status);
  });

  it('gets only some of the upload slots, and others can still upload', async () => {
    const type = { 'content-type': 'multipart/form-data; boundary=x' };
    const part = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1';
    for (let n = 0; n < 12; n += 1) await begin({ ...type, 'content-length': '1000' }, part);
    await until(
      'its places are taken',
      async () => (await post({ ...type, ...STRANGER }, `${part}\r\n--x--`))[0] === 503,
    );
    expect(await post({ ...type, ...STRANGER }, `${part}\r\n--x--`)).toEqual([503, 'TOO_MANY_UPLOADS']);
    expect(await post({ ...type, ...OTHER }, `${part}\r\n--x--`)).toEqual([200, undefined]);
  });

  it('counts as one with all addresses of its network', async () => {
    const type = { 'content-type': 'multipart/form-data; boundary=x' };
    const part = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1';
    const from = (n: number) => ({ 'x-forwarded-for': `2001:db8:1:2::${n.toString(16)}` });
    for (let n = 0; n < 8; n += 1) await begin({ ...type, ...from(n), 'content-length': '1000' }, part);
    await until(
      'its places are taken',
      async () => (await post({ ...type, ...from(99) }, `${part}\r\n--x--`))[0] === 503,
    );
    const other = { 'x-forwarded-for': '2001:db8:1:3::1' };
    expect(await post({ ...type, ...other }, `${part}\r\n--x--`)).toEqual([200, undefined]);
  });

  describe('with slow senders at many addresses', () => {
    const from = (n: number) => ({ 'x-forwarded-for': `192.0.2.${100 + n}` });
    let timer: NodeJS.Timeout;
    beforeEach(() => {
      // Fast enough not to be ended for being slow.
      timer = setInterval(() => open.forEach((socket) => socket.write(' '.repeat(1_000))), 500);
    });
    afterEach(() => clearInterval(timer));

    it('keeps no upload of others out: its slowest is dropped', async () => {
      const type = { 'content-type': 'multipart/form-data; boundary=x' };
      const part = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1';
      for (let n = 0; n < 40; n += 1) await begin({ ...type, ...from(n % 5), 'content-length': '1000000' }, part);
      // The rates of the senders are known after a second.
      await setTimeout(1_500);
      const statuses: number[] = [];
      for (let n = 0; n < 10; n += 1) statuses.push((await post({ ...type, ...OTHER }, `${part}\r\n--x--`))[0]);
      expect(statuses).toEqual(statuses.map(() => 200));
    });

    it('keeps no body of others out: its slowest is dropped', async () => {
      const headers = { 'content-type': 'application/json', 'content-length': '9900000' };
      for (let n = 0; n < 3; n += 1) await begin({ ...headers, ...from(n) }, json(9_000_000));
      await setTimeout(1_500);
      expect(await post(OTHER, json(8_000_000))).toEqual([200, undefined]);
    });
  });

  it('waits while it uses more than its share of the processor, and others do not', async () => {
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const expensive = Array.from({ length: 300 }, (_, n) => `f${n}=${'%41'.repeat(1_000)}`).join('&');
    const timed = async (headers: Readonly<Record<string, string>>, body: string): Promise<number> => {
      const start = performance.now();
      const [status, reason] = await post({ ...type, ...headers }, body);
      if (status !== 200) expect(reason).toBe('CLIENT_OVER_SHARE');
      return performance.now() - start;
    };
    let isOver = false;
    const strangers: number[] = [];
    const flood = Promise.all(
      Array.from({ length: 12 }, async () => {
        while (!isOver) strangers.push(await timed(STRANGER, expensive));
      }),
    );
    await until('it waits', () => Promise.resolve(strangers.length > 24));
    const others: number[] = [];
    for (let n = 0; n < 20; n += 1) {
      const start = performance.now();
      expect(await post({ ...type, ...OTHER }, 'a=1')).toEqual([200, undefined]);
      others.push(performance.now() - start);
    }
    isOver = true;
    await flood;
    const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[list.length >> 1] ?? 0;
    expect(median(others)).toBeLessThan(median(strangers) / 2);
  });

  it('is given up when its body, whatever it is, stops arriving', async () => {
    gateway.workflows.webhooks.set('POST file', webhookAt({}, { wholeBody: 'always' }));
    // All at once: each takes the whole time that a silent sender has.
    const replies = await Promise.all(
      [
        ['/webhook/hook', 'application/json', '{"a":'],
        [
          '/webhook/hook',
          'multipart/form-data; boundary=x',
          '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1',
        ],
        ['/webhook/file', 'application/octet-stream', 'a'],
      ].map(([path = '', type = '', body = '']) =>
        rawRequest(gateway.port, 'POST', path, { 'content-type': type, 'content-length': '1000' }, body, false),
      ),
    );
    const outcomes = replies.map(({ status, text }) => [status, JSON.parse(text).error.details.reason]);
    expect(outcomes).toEqual(replies.map(() => [408, 'REQUEST_TOO_SLOW']));
  });
});
