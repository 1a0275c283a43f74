import { type ChannelCredentials, credentials, Metadata, status } from '@grpc/grpc-js';
import { makeAuthority, type IssuedCertificate } from '@weft/local-stack';
import { HealthClient, HealthService } from '@weft/proto/health';
import { defineConfig, processFields, type Rereading } from '@weft/service-kit/config';
import { Unauthorized } from '@weft/service-kit/errors';
import { createCaller, startGrpcServer, type GrpcServer } from '@weft/service-kit/grpc';
import { closeAfterEach, keptLog, type KeptLog } from '@weft/service-kit/testing';
import { createSecureTransport, tlsErrors, type SecureTransport, type TlsSettings } from '@weft/service-kit/mutual-tls';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../support/until';

const folder = mkdtempSync(join(tmpdir(), 'weft-tls-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const HERE = ['localhost', '127.0.0.1'];
const authority = makeAuthority(folder, 'authority');
const foreign = makeAuthority(folder, 'foreign');
const good = authority.issue('good', HERE);
const expired = authority.issue('expired', HERE, -1);
const elsewhere = authority.issue('elsewhere', ['elsewhere']);
const stranger = foreign.issue('stranger', HERE);

const settingsOf = (own: IssuedCertificate, ...trusted: readonly { readonly certificate: string }[]): TlsSettings => ({
  grpcTlsCert: own.certificate,
  grpcTlsKey: own.key,
  grpcTlsCa: trusted.map(({ certificate }) => certificate).join(''),
});

const POLL_MS = 20;
const later = closeAfterEach();
const transportOf = (settings: TlsSettings, log: KeptLog): SecureTransport =>
  later(createSecureTransport(settings, log.logger, POLL_MS), (transport) => transport.close());

interface Listening {
  readonly server: GrpcServer;
  /** Calls that reached the authentication of their sender. */
  readonly seen: () => number;
}

/** A server with the health method alone, which counts all other calls that reach it. */
const listen = async (transport: SecureTransport | undefined, log: KeptLog): Promise<Listening> => {
  let seen = 0;
  const server = await startGrpcServer({
    host: '127.0.0.1',
    port: 0,
    services: [],
    logger: log.logger,
    reflection: false,
    transport,
    authentication: {
      verifyToken: () => {
        throw new Unauthorized();
      },
      verifyUser: () => Promise.reject(new Unauthorized()),
      trustedCallers: [],
    },
    checkReady: () => {
      seen += 1;
      return Promise.resolve(true);
    },
    checkLive: () => true,
  });
  later(server, (running) => running.stop(0));
  server.health.setReady(true);
  return { server, seen: () => seen };
};

/** The code of one call over a new connection. */
const knock = (port: number, by: ChannelCredentials, host = 'localhost'): Promise<number> =>
  new Promise((resolve) => {
    const options = { 'grpc.use_local_subchannel_pool': 1 };
    const client = new HealthClient(`${host}:${port}`, by, options);
    client.check({ service: '' }, new Metadata(), { deadline: Date.now() + 20_000 }, (error) => {
      client.close();
      resolve(error?.code ?? status.OK);
    });
  });

const ssl = (own?: IssuedCertificate): ChannelCredentials =>
  own === undefined
    ? credentials.createSsl(Buffer.from(authority.certificate))
    : credentials.createSsl(Buffer.from(authority.certificate), Buffer.from(own.key), Buffer.from(own.certificate));

/** A client like those of the services. */
const callerOf = (target: string, transport: SecureTransport, certifiedAs?: string) =>
  later(
    createCaller(HealthService, {
      service: 'other',
      target,
      transport,
      sign: () => 'token',
      ownConnection: true,
      ...(certifiedAs === undefined ? {} : { certifiedAs }),
    }),
    ({ close }) => close(),
  ).calls;

describe('a gRPC server over mutual TLS', () => {
  it.each([
    ['shows no certificate', () => ssl(), 'it shows no certificate'],
    [
      'has one of another authority',
      () => ssl(stranger),
      'its certificate is of an authority that is not trusted here',
    ],
    ['has one that has expired', () => ssl(expired), 'its certificate has expired'],
    ['speaks plain text', () => credentials.createInsecure(), 'it does not speak TLS'],
  ])('refuses a client that %s, says why, and serves others meanwhile', async (_name, by, reason) => {
    const log = keptLog();
    const { server, seen } = await listen(transportOf(settingsOf(good, authority), log), log);
    const known = callerOf(`dns:///localhost:${server.port}`, transportOf(settingsOf(good, authority), log));
    let isOver = false;
    const serving = (async () => {
      let count = 0;
      for (; !isOver; count += 1) await known.check({ service: '' });
      return count;
    })();
    for (let attempt = 0; attempt < 3; attempt += 1) expect(await knock(server.port, by())).toBe(status.UNAVAILABLE);
    isOver = true;
    const served = await serving;
    expect(served).toBeGreaterThan(0);
    expect(seen()).toBeLessThanOrEqual(served);
    const lines = log.lines.filter(({ msg }) => msg === 'a peer was refused by TLS');
    // Logged at once, and then once a minute.
    expect(lines).toEqual([expect.objectContaining({ reason, address: '127.0.0.1' })]);
  });

  it('is refused by a client that does not trust its authority, its name or its date, and hears nothing', async () => {
    for (const [own, reason] of [
      [stranger, /SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_VERIFY_LEAF_SIGNATURE/],
      [expired, /CERT_HAS_EXPIRED/],
      [elsewhere, /ERR_TLS_CERT_ALTNAME_INVALID/],
      [undefined, /SSL|ECONNRESET/],
    ] as const) {
      const log = keptLog();
      const trusting = own === undefined ? undefined : transportOf(settingsOf(own, authority), keptLog());
      const { server, seen } = await listen(trusting, keptLog('fatal'));
      const { check } = callerOf(`dns:///localhost:${server.port}`, transportOf(settingsOf(good, authority), log));
      await expect(check({ service: '' })).rejects.toMatchObject({ reason: 'SERVICE_UNAVAILABLE' });
      expect(seen()).toBe(0);
      expect(log.lines[0]).toMatchObject({
        msg: 'no TLS connection to a server',
        server: expect.stringContaining('localhost'),
        reason: expect.stringMatching(reason),
      });
    }
  });

  it('proves the name of its service where it is called by its address, as one replica is', async () => {
    const log = keptLog();
    const transport = transportOf(settingsOf(elsewhere, authority), log);
    const { server } = await listen(transport, log);
    const target = `ipv4:127.0.0.1:${server.port}`;
    await expect(callerOf(target, transport, 'dns:///elsewhere:7002').check({ service: '' })).resolves.toBeDefined();
    await expect(callerOf(target, transport).check({ service: '' })).rejects.toMatchObject({
      reason: 'SERVICE_UNAVAILABLE',
    });
  });

  it('takes over other certificates and another authority while calls continue, and none fails', async () => {
    const log = keptLog();
    const both = { ...settingsOf(good, authority) };
    const change = (settings: TlsSettings): Promise<void> => {
      Object.assign(both, settings);
      return sleep(5 * POLL_MS);
    };
    const { server } = await listen(transportOf(both, log), log);
    const known = callerOf(`dns:///localhost:${server.port}`, transportOf(both, log));
    let isOver = false;
    const served: Promise<number>[] = [1, 2, 3, 4].map(async () => {
      let count = 0;
      for (; !isOver; count += 1) await known.check({ service: '' });
      return count;
    });
    const next = foreign.issue('next', HERE);
    const byNext = credentials.createSsl(
      Buffer.from(foreign.certificate),
      Buffer.from(next.key),
      Buffer.from(next.certificate),
    );
    await change(settingsOf(good, authority, foreign));
    // Trusted already, while the server still shows the former certificate.
    expect(await knock(server.port, byNext)).toBe(status.UNAVAILABLE);
    expect(await knock(server.port, ssl(stranger))).toBe(status.OK);
    await change(settingsOf(next, authority, foreign));
    expect(await knock(server.port, byNext)).toBe(status.OK);
    await change(settingsOf(next, foreign));
    expect(await knock(server.port, byNext)).toBe(status.OK);
    expect(await knock(server.port, ssl(good))).toBe(status.UNAVAILABLE);
    const { check } = callerOf(`dns:///localhost:${server.port}`, transportOf(both, log));
    await expect(check({ service: '' })).resolves.toBeDefined();
    isOver = true;
    expect(Math.min(...(await Promise.all(served)))).toBeGreaterThan(0);
  });
});

describe('the certificates of a process', () => {
  const put = (name: string, content: string): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const files = (own: IssuedCertificate) => ({
    GRPC_TLS_CERT_FILE: put('live.pem', own.certificate),
    GRPC_TLS_KEY_FILE: put('live.key', own.key),
    GRPC_TLS_CA_FILE: put('live.ca', authority.certificate),
  });
  const reader = defineConfig(processFields(0, 0), tlsErrors);

  it('are undefined without files, which means plain text', () => {
    expect(reader.load({ GRPC_TLS_CERT: '' })).toMatchObject({ grpcTlsCert: '', grpcTlsKey: '', grpcTlsCa: '' });
  });

  it.each([
    ['without its key', { GRPC_TLS_KEY_FILE: join(folder, 'none') }, 'GRPC_TLS_KEY: nothing is given'],
    ['without an authority', { GRPC_TLS_CA_FILE: '' }, 'GRPC_TLS_CA: nothing is given'],
    ['with the key of another', { GRPC_TLS_KEY_FILE: expired.keyFile }, 'the certificate is for another key'],
    [
      'that has expired',
      { GRPC_TLS_CERT_FILE: expired.certificateFile, GRPC_TLS_KEY_FILE: expired.keyFile },
      'the certificate ended on',
    ],
    ['that is not a certificate', { GRPC_TLS_CERT_FILE: good.keyFile }, 'there is no certificate (PEM) in it'],
  ])('end the start if one is given %s, without a word of it', (_name, wrong, message) => {
    const load = (): unknown => reader.load({ ...files(good), ...wrong });
    expect(load).toThrow(message);
    expect(load).not.toThrow(/BEGIN|END CERT/);
  });

  it('stay in use until the new one and its key are both there, and never give way to plain text', async () => {
    const changes: string[][] = [];
    const failures: string[] = [];
    const rereading: Rereading = {
      everyMs: 0,
      onChanged: (variables) => changes.push([...variables]),
      onFailed: ({ message }) => failures.push(message),
    };
    const values = reader.load(files(good), rereading);
    const next = authority.issue('renewed', HERE);
    put('live.pem', next.certificate);
    expect(values.grpcTlsCert).toBe(good.certificate.trimEnd());
    expect(failures).toEqual([expect.stringContaining('the certificate is for another key')]);
    put('live.key', next.key);
    await until('both are in use', () => Promise.resolve(values.grpcTlsCert === next.certificate.trimEnd()));
    expect(changes).toEqual([['GRPC_TLS_CERT', 'GRPC_TLS_KEY']]);
    for (const name of ['live.pem', 'live.key', 'live.ca']) rmSync(join(folder, name));
    expect([values.grpcTlsCert, values.grpcTlsKey, values.grpcTlsCa]).not.toContain('');
    expect(failures).toHaveLength(2);
  });
});
