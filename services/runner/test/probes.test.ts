import { ProbeOutcome, ProbeServiceService } from '@weft/proto/probes';
import type { TestPorts } from '@weft/nodes/credential-tests';
import { createDatabases, createMailCheck, createOutboundClient, createRemoteServers } from '@weft/outbound';
import { createCaller } from '@weft/service-kit/grpc';
import { closeAfterEach, makeTestKeys, startFakePeer } from '@weft/service-kit/testing';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bindProbes } from '../src/handlers/probes';

const later = closeAfterEach();
const keys = makeTestKeys(['credentials', 'gateway', 'runner']);
const HEADER = { type: 'httpHeaderAuth', dataJson: '{"name":"x-key","value":"the-s3cret"}' };
const { PROBE_OUTCOME_ACCEPTED, PROBE_OUTCOME_REFUSED } = ProbeOutcome;

const portsOf = (allow: readonly string[]): TestPorts => {
  const outbound = createOutboundClient({ allow });
  later(outbound, (open) => open.close());
  const { openSocket } = outbound;
  return {
    http: outbound,
    checkMail: createMailCheck(openSocket),
    databases: createDatabases(openSocket),
    remote: createRemoteServers(openSocket),
  };
};

/** A web service that accepts one key; `hold` delays its responses. */
const serveWeb = async (): Promise<{ url: string; server: Server; hold: { until?: Promise<void> } }> => {
  const hold: { until?: Promise<void> } = {};
  const server = createServer((request, response) => {
    void (hold.until ?? Promise.resolve()).then(() =>
      response.writeHead(request.headers['x-key'] === 'the-s3cret' ? 200 : 401).end(),
    );
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  later(server, (open) => new Promise((resolve) => open.close(resolve)));
  const address: AddressInfo | string | null = server.address();
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/me`, server, hold };
};

const serveProbes = async (allow: readonly string[], maxProbes?: number) => {
  const peer = await startFakePeer({
    name: 'runner',
    publicKeys: keys.publicKeys,
    services: [bindProbes(portsOf(allow), maxProbes)],
  });
  later(peer, (open) => open.stop());
  return (service = 'credentials') => {
    const { calls, close } = createCaller(ProbeServiceService, {
      service: 'runner',
      target: peer.target,
      sign: keys.signerOf(service),
    });
    later(close, (end) => end());
    return calls.probeCredential;
  };
};

describe('ProbeCredential', () => {
  it('distinguishes credentials that the service accepts from others', async () => {
    const { url } = await serveWeb();
    const probe = (await serveProbes(['127.0.0.1']))();
    expect((await probe({ ...HEADER, url })).outcome).toBe(PROBE_OUTCOME_ACCEPTED);
    const wrong = await probe({ ...HEADER, dataJson: '{"name":"x-key","value":"another"}', url });
    expect(wrong).toEqual({
      outcome: PROBE_OUTCOME_REFUSED,
      message: 'The service answered 401: it does not accept the credential.',
    });
  });

  it('reaches no private address that is not allowed, like any node', async () => {
    const { url } = await serveWeb();
    const { outcome, message } = await (await serveProbes([]))()({ ...HEADER, url });
    expect([outcome, message]).toEqual([PROBE_OUTCOME_REFUSED, expect.stringContaining('127.0.0.1')]);
  });

  it('is for the credentials service only', async () => {
    await expect((await serveProbes([]))('gateway')({ ...HEADER, url: '' })).rejects.toMatchObject({
      reason: 'FORBIDDEN',
    });
  });

  it('refuses data that is not an object, without quoting it', async () => {
    const refused = (await serveProbes([]))()({ ...HEADER, dataJson: '"the-s3cret"', url: '' });
    await expect(refused).rejects.toMatchObject({ reason: 'INVALID_REQUEST', fields: [{ field: 'data_json' }] });
    await expect(refused).rejects.not.toThrow('the-s3cret');
  });

  it('limits concurrent probes, refuses more, and accepts others when one has ended', async () => {
    const { url, hold } = await serveWeb();
    let release: () => void = () => undefined;
    hold.until = new Promise((resolve) => {
      release = resolve;
    });
    const probe = (await serveProbes(['127.0.0.1'], 2))();
    const held = [probe({ ...HEADER, url }), probe({ ...HEADER, url })];
    await expect(probe({ ...HEADER, url })).rejects.toMatchObject({ reason: 'SERVICE_UNAVAILABLE' });
    release();
    await Promise.all(held);
    await expect(probe({ ...HEADER, url })).resolves.toMatchObject({ outcome: PROBE_OUTCOME_ACCEPTED });
  });
});
