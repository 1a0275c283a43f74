import { NotificationServiceService, type SendNotificationRequest } from '@weft/proto/notifications';
import { createOutboundClient } from '@weft/outbound';
import { createCaller } from '@weft/service-kit/grpc';
import { closeAfterEach, makeTestKeys, startFakePeer } from '@weft/service-kit/testing';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { bindNotifications, type NotificationOptions } from '../src/handlers/notifications';

const later = closeAfterEach();
const keys = makeTestKeys(['executions', 'gateway', 'runner']);

const serveWeb = async (answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> => {
  const server = createServer(answer);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  later(server, (open) => {
    open.closeAllConnections();
    return new Promise((resolve) => open.close(resolve));
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/receiver`;
};

const serve = async (allow: readonly string[] = ['127.0.0.1'], options: NotificationOptions = {}) => {
  const outbound = createOutboundClient({ allow });
  later(outbound, (open) => open.close());
  const peer = await startFakePeer({
    name: 'runner',
    publicKeys: keys.publicKeys,
    services: [bindNotifications(outbound, options)],
  });
  later(peer, (open) => open.stop());
  return (request: Partial<SendNotificationRequest>, service = 'executions') => {
    const { calls, close } = createCaller(NotificationServiceService, {
      service: 'runner',
      target: peer.target,
      sign: keys.signerOf(service),
    });
    later(close, (end) => end());
    return calls.sendNotification({ url: '', headers: [], body: Buffer.from('[]'), failing: false, ...request });
  };
};

describe('SendNotification', () => {
  it('posts the headers and the body, and reports the status of any response', async () => {
    const got: { headers: IncomingMessage['headers']; method: string | undefined; body: string }[] = [];
    const url = await serveWeb((request, response) => {
      const { headers, method } = request;
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        got.push({ headers, method, body });
        response.writeHead(got.length === 1 ? 202 : 503).end();
      });
    });
    const send = await serve();
    const request = {
      url,
      headers: [
        { name: 'content-type', value: 'application/cloudevents-batch+json' },
        { name: 'webhook-id', value: 'm1' },
      ],
      body: Buffer.from('[{"id":"\u00fc"}]'),
    };
    expect(await send(request)).toEqual({ status: 202, error: '' });
    expect(await send(request)).toEqual({ status: 503, error: '' });
    expect(got[0]).toMatchObject({
      method: 'POST',
      body: '[{"id":"\u00fc"}]',
      headers: { 'content-type': 'application/cloudevents-batch+json', 'webhook-id': 'm1' },
    });
  });

  it('follows no redirect', async () => {
    const asked: (string | undefined)[] = [];
    const url = await serveWeb(({ url: path }, response) => {
      asked.push(path);
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    expect(await (await serve())({ url })).toEqual({ status: 302, error: '' });
    expect(asked).toEqual(['/receiver']);
  });

  it('reads no body, however long it is', async () => {
    let closed: () => void = () => undefined;
    const isClosed = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const url = await serveWeb((_, response) => {
      response.writeHead(200);
      const endless = setInterval(() => response.write('x'.repeat(65_536)), 1);
      response.once('close', () => {
        clearInterval(endless);
        closed();
      });
    });
    expect(await (await serve())({ url })).toEqual({ status: 200, error: '' });
    await isClosed;
  });

  it('reaches no private address that is not allowed', async () => {
    const url = await serveWeb((_, response) => response.end());
    const { status, error } = await (await serve([]))({ url });
    expect([status, error]).toEqual([0, expect.stringContaining('127.0.0.1')]);
  });

  it('says why there was no response: no server, an invalid address, or the end of the time', async () => {
    const send = await serve(['127.0.0.1'], { timeoutMs: 50 });
    const hanging = await serveWeb(() => undefined);
    for (const url of ['http://127.0.0.1:1/', 'nowhere', hanging])
      expect(await send({ url })).toEqual({ status: 0, error: expect.stringMatching(/./) });
  });

  it('keeps half of its places from failing subscriptions, and refuses more than the maximum', async () => {
    const held: ServerResponse[] = [];
    const url = await serveWeb((_, response) => held.push(response));
    const send = await serve(['127.0.0.1'], { maxSends: 2, maxFailing: 1 });
    const until = async (count: number): Promise<void> => {
      while (held.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
    };
    const failing = send({ url, failing: true });
    await until(1);
    await expect(send({ url, failing: true })).rejects.toMatchObject({ reason: 'SERVICE_UNAVAILABLE' });
    const healthy = send({ url });
    await until(2);
    await expect(send({ url })).rejects.toMatchObject({ reason: 'SERVICE_UNAVAILABLE' });
    held.forEach((response) => response.end());
    expect(await Promise.all([failing, healthy])).toMatchObject([{ status: 200 }, { status: 200 }]);
    const next = send({ url, failing: true });
    await until(3);
    held[2]?.end();
    expect(await next).toMatchObject({ status: 200 });
  });

  it('is for executions only, and refuses bodies above 1 MiB', async () => {
    const send = await serve();
    await expect(send({}, 'gateway')).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    await expect(send({ body: Buffer.alloc(1024 * 1024 + 1) })).rejects.toMatchObject({
      reason: 'INVALID_REQUEST',
      fields: [{ field: 'body' }],
    });
  });
});
