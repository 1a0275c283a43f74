import { createServer, type Server } from 'node:https';
import { TLSSocket } from 'node:tls';
import type { ClientCertificate } from './outbound-http';
import { createOutboundClient } from './outbound-client';
import { certificate, privateKey } from '../testing/test-certificate';

describe('a client certificate', () => {
  let server: Server;
  let port: number;
  const client = createOutboundClient({
    allow: ['*.example'],
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  });
  beforeAll(async () => {
    server = createServer(
      { key: privateKey, cert: certificate, requestCert: true, rejectUnauthorized: false },
      (request, response) => {
        const to = new URL(request.url ?? '/', 'https://x').searchParams.get('to');
        if (to !== null) response.writeHead(302, { location: to });
        response.end(
          request.socket instanceof TLSSocket ? String(request.socket.getPeerCertificate().subject?.CN) : 'no TLS',
        );
      },
    );
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const address = server.address();
    port = typeof address === 'object' && address !== null ? address.port : 0;
  });
  afterAll(async () => {
    client.close();
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });
  const shown = async (clientCertificate?: ClientCertificate, path = '/'): Promise<string> => {
    const { body } = await client.request({
      method: 'GET',
      url: `https://a.example:${port}${path}`,
      timeoutMs: 5_000,
      followRedirects: true,
      allowUnauthorizedCerts: true,
      ...(clientCertificate === undefined ? {} : { clientCertificate }),
    });
    return Buffer.from(body).toString();
  };
  const own: ClientCertificate = { cert: certificate, key: privateKey };

  it('is presented by its request, and over no connection of a request without one', async () => {
    expect(await shown()).toBe('undefined');
    expect(await shown(own)).toBe('localhost');
    expect(await shown()).toBe('undefined');
  });

  it('is sent after a redirect within the origin, and not after one that leaves it', async () => {
    expect(await shown(own, `/?to=${encodeURIComponent(`https://a.example:${port}/`)}`)).toBe('localhost');
    expect(await shown(own, `/?to=${encodeURIComponent(`https://b.example:${port}/`)}`)).toBe('undefined');
  });

  it('that cannot be read fails the request with a specific error', async () => {
    await expect(shown({ cert: 'nonsense', key: privateKey })).rejects.toMatchObject({
      code: 'CERTIFICATE',
      message: expect.stringContaining('cannot be read'),
    });
  });
});
