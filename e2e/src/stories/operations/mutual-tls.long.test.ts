import { type ChannelCredentials, credentials, Metadata, status } from '@grpc/grpc-js';
import {
  freePorts,
  makeAuthority,
  SERVICES,
  startStack,
  type CertificateAuthority,
  type IssuedCertificate,
  type ServiceName,
  type Stack,
} from '@weft/local-stack';
import { WorkflowServiceClient } from '@weft/proto/workflows';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { logLines } from '../../support/log-lines';
import { parseMetrics } from '../../support/metrics';
import { callWebhook, restClient, textOf } from '../../support/rest';
import { until } from '../../support/until';
import { smallWorkflow } from '../../support/workflows';

const GRPC_SERVICES = SERVICES.filter((service) => service !== 'gateway');
const HOSTS = ['localhost', '127.0.0.1'];
const PATH = 'mutual-tls/hook';
/** Answers its caller when the last node has run. */
const workflow = smallWorkflow(PATH, { responseMode: 'lastNode' });

const folder = mkdtempSync(join(tmpdir(), 'weft-mutual-tls-'));
const first = makeAuthority(folder, 'first');
const second = makeAuthority(folder, 'second');

const fileOf = (service: ServiceName, name: string): string => join(folder, service, name);
/** Exchanges a file in one step. */
const put = (service: ServiceName, name: string, content: string): void => {
  writeFileSync(fileOf(service, 'draft'), content);
  renameSync(fileOf(service, 'draft'), fileOf(service, name));
};
const trust = (...authorities: readonly CertificateAuthority[]): void => {
  for (const service of SERVICES) put(service, 'ca.crt', authorities.map(({ certificate }) => certificate).join(''));
};
/** Gives each service a separate certificate. */
const certify = (authority: CertificateAuthority): void => {
  for (const service of SERVICES) {
    const { certificate, key } = authority.issue(service, HOSTS);
    put(service, 'tls.key', key);
    put(service, 'tls.crt', certificate);
  }
};

const credentialsOf = (trusted: CertificateAuthority, own?: IssuedCertificate): ChannelCredentials =>
  own === undefined
    ? credentials.createSsl(Buffer.from(trusted.certificate))
    : credentials.createSsl(Buffer.from(trusted.certificate), Buffer.from(own.key), Buffer.from(own.certificate));

let stack: Stack;
let baseUrl: string;
let metricsPorts: readonly number[];

beforeAll(async () => {
  for (const service of SERVICES) mkdirSync(join(folder, service));
  trust(first);
  certify(first);
  metricsPorts = await freePorts(SERVICES.length);
  stack = await startStack({
    env: { credentials: { RATE_LIMIT_PER_MINUTE: '0' }, executions: { SWEEP_MS: '300' } },
    envOf: (service) => ({
      GRPC_TLS_CERT_FILE: fileOf(service, 'tls.crt'),
      GRPC_TLS_KEY_FILE: fileOf(service, 'tls.key'),
      GRPC_TLS_CA_FILE: fileOf(service, 'ca.crt'),
      METRICS_PORT: String(metricsPorts[SERVICES.indexOf(service)]),
    }),
  });
  baseUrl = stack.baseUrls[0] ?? '';
});
afterAll(async () => {
  await stack?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Calls a service that serves users with the owner's key, over a new connection. @returns the code */
const listWorkflows = (by: ChannelCredentials, target = stack.grpcTargets.workflows): Promise<number> =>
  new Promise((resolve) => {
    const metadata = new Metadata();
    metadata.set('x-svc-api-key', stack.apiKey);
    const client = new WorkflowServiceClient(target, by, { 'grpc.use_local_subchannel_pool': 1 });
    const request = { limit: 1, cursor: '', summary: true };
    client.listWorkflows(request, metadata, { deadline: Date.now() + 20_000 }, (error) => {
      client.close();
      resolve(error?.code ?? status.OK);
    });
  });

/**
 * Waits until every process uses the changed files: while some use the old ones, a file that only clients have read
 * would break their calls.
 */
const taken = async (variable: string, times: number): Promise<void> => {
  await until(`${variable} is in use everywhere`, async () =>
    SERVICES.every(
      (service) =>
        logLines(stack, service).filter(
          ({ msg, variables }) =>
            msg === 'settings in files have changed and are in use' && String(variables).includes(variable),
        ).length === times,
    ),
  );
  // The process that first read the files has logged it; certificates are checked once a second.
  await sleep(1_500);
};

/** The name of the authority whose certificate a service shows now, to a client that shows none. */
const issuerAt = (service: ServiceName): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connectTls({
      port: stack.of(service)[0]?.port ?? 0,
      host: '127.0.0.1',
      ALPNProtocols: ['h2'],
      rejectUnauthorized: false,
    });
    socket.once('secureConnect', () => {
      resolve(String(socket.getPeerCertificate().issuer.CN));
      socket.destroy();
    });
    socket.once('error', reject);
  });

describe('five processes that know each other by certificates', () => {
  it('run workflows for callers of REST, of webhooks and of gRPC with a certificate', async () => {
    const rest = restClient(baseUrl, stack.apiKey);
    const id = textOf(await rest('POST', '/workflows', { ...workflow, active: true }), 'id');
    expect(await callWebhook(baseUrl, PATH, { n: 1 })).toMatchObject({ status: 200 });
    const executionId = textOf(
      await rest('POST', `/workflows/${id}/execute`, { data: { body: { n: 1 } } }),
      'executionId',
    );
    await until(
      'it has run',
      async () => textOf(await rest('GET', `/executions/${executionId}`), 'status') === 'success',
    );
    expect(await listWorkflows(credentialsOf(first, first.issue('program', HOSTS)))).toBe(status.OK);
  });

  it('show when their certificates end, for an alert', async () => {
    for (const port of metricsPorts) {
      const metrics = parseMetrics(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text());
      const [end] = metrics.get('weft_certificate_end_timestamp_seconds')?.series ?? [];
      const hours = ((end?.value ?? 0) - Date.now() / 1_000) / 3_600;
      expect(hours).toBeGreaterThan(22);
      expect(hours).toBeLessThan(25);
    }
  });

  it('refuse strangers one by one, say why, and serve callers at the same time', async () => {
    const strangers = {
      'it shows no certificate': credentialsOf(first),
      'its certificate is of an authority that is not trusted here': credentialsOf(
        first,
        second.issue('foreign', HOSTS),
      ),
      'its certificate has expired': credentialsOf(first, first.issue('expired', HOSTS, -1)),
      'it does not speak TLS': credentials.createInsecure(),
    };
    const traffic = startTraffic();
    for (const service of GRPC_SERVICES)
      for (const [reason, by] of Object.entries(strangers)) {
        expect(await listWorkflows(by, stack.grpcTargets[service])).toBe(status.UNAVAILABLE);
        await until(`${service} says that ${reason}`, async () =>
          logLines(stack, service).some(
            (line) => line['msg'] === 'a peer was refused by TLS' && line['reason'] === reason,
          ),
        );
      }
    expect((await traffic.stop()).failed).toEqual([]);
  });

  it('take other certificates and another authority while they work, and no request fails', async () => {
    const traffic = startTraffic();
    const issuersShown = (): Promise<readonly string[]> => Promise.all(GRPC_SERVICES.map(issuerAt));
    const program = { first: first.issue('old', HOSTS), second: second.issue('new', HOSTS) };
    trust(first, second);
    await taken('GRPC_TLS_CA', 1);
    expect(await issuersShown()).toEqual(GRPC_SERVICES.map(() => 'Test first'));
    expect(await listWorkflows(credentialsOf(first, program.second))).toBe(status.OK);
    certify(second);
    await taken('GRPC_TLS_CERT', 1);
    expect(await issuersShown()).toEqual(GRPC_SERVICES.map(() => 'Test second'));
    expect(await listWorkflows(credentialsOf(second, program.first))).toBe(status.OK);
    trust(second);
    await taken('GRPC_TLS_CA', 2);
    for (const service of GRPC_SERVICES)
      expect(await listWorkflows(credentialsOf(second, program.first), stack.grpcTargets[service])).toBe(
        status.UNAVAILABLE,
      );
    expect(await listWorkflows(credentialsOf(second, program.second))).toBe(status.OK);
    const { failed, answered } = await traffic.stop();
    expect(failed).toEqual([]);
    expect(answered).toBeGreaterThan(50);
    // New connections: those of new processes to old ones.
    await stack.of('runner')[0]?.restart();
    await stack.of('gateway')[0]?.restart();
    expect(await callWebhook(baseUrl, PATH, { n: 1 })).toMatchObject({ status: 200 });
  });
});

interface Traffic {
  readonly stop: () => Promise<{ readonly answered: number; readonly failed: readonly string[] }>;
}

/** Lists workflows and calls a webhook through the gateway, about 40 times a second. */
const startTraffic = (): Traffic => {
  const rest = restClient(baseUrl, stack.apiKey);
  const failed: string[] = [];
  let answered = 0;
  let isOver = false;
  const repeat = async (what: string, send: () => Promise<{ readonly status: number }>): Promise<void> => {
    while (!isOver) {
      const { status: code } = await send();
      if (code === 200) answered += 1;
      else failed.push(`${what}: ${code}`);
      await sleep(50);
    }
  };
  const senders = [
    repeat('list', () => rest('GET', '/workflows?limit=1')),
    repeat('webhook', () => callWebhook(baseUrl, PATH, { n: 1 })),
  ];
  return {
    stop: async () => {
      isOver = true;
      await Promise.all(senders);
      return { answered, failed };
    },
  };
};
