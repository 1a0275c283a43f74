import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCertificate, type NatsServer } from '@weft/local-stack';
import { createLogger } from '@weft/service-kit/logging';
import { closeNats, connectNats, type NatsConnection, type NatsSettings } from '@weft/service-kit/nats';
import { nkeys } from 'nats';
import { startNatsCluster } from '../support/stand-ins/nats-cluster';
import { until } from '../support/until';
import { HAS_KUBECTL, MANIFESTS, renderWith, type Rendered } from './rendered';
import { root, tableOf } from './services';

interface Key {
  readonly public: string;
  readonly seed: string;
}
interface Secret {
  readonly metadata: { readonly name: string };
  readonly stringData: Readonly<Record<string, string>>;
}

const run = (script: string, ...args: readonly string[]): string =>
  execFileSync(process.execPath, [join(root, 'deploy', script), ...args], { encoding: 'utf8' });
const makeKey = (): Key => JSON.parse(run('make-nats-key.mjs'));

/** The secrets of a cluster whose NATS requires a key, by name. */
const secrets = (): Readonly<Record<string, Secret['stringData']>> => {
  const made = run('k8s/make-secrets.mjs', '--mongodb', 'mongodb://weft-mongodb:27017', '--nats-nkey');
  const { items }: { readonly items: readonly Secret[] } = JSON.parse(made);
  return Object.fromEntries(items.map(({ metadata, stringData }) => [metadata.name, stringData]));
};

const folder = mkdtempSync(join(tmpdir(), 'weft-nats-security-'));
const servers: NatsServer[] = [];
const connections: NatsConnection[] = [];
const file = (name: string, content: string): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

afterAll(async () => {
  for (const connection of connections) await closeNats(connection);
  for (const server of servers) await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('a key for NATS', () => {
  it('is one that clients of NATS sign with, under the public key that servers know', () => {
    const key = makeKey();
    const pair = nkeys.fromSeed(new TextEncoder().encode(key.seed));
    expect(key.public).toMatch(/^U/);
    expect(pair.getPublicKey()).toBe(key.public);
    const text = new TextEncoder().encode('nonce');
    expect(nkeys.fromPublic(key.public).verify(text, pair.sign(text))).toBe(true);
    expect(makeKey().public).not.toBe(key.public);
  });
});

describe('three NATS servers with the configuration of the component nats-security', () => {
  const natsSettings = (port: number, seed: string, natsCaFile: string): NatsSettings => ({
    natsUrl: `tls://localhost:${port}`,
    natsNkeyFile: file(`${Math.random()}.nk`, seed),
    natsCaFile,
  });
  const connected = async (settings: NatsSettings): Promise<NatsConnection> => {
    const connection = await connectNats(settings, 'test', createLogger('test', 'fatal'), false);
    connections.push(connection);
    return connection;
  };
  let ports: readonly number[];
  let authorityFile: string;
  let seed: string;

  beforeAll(async () => {
    const { 'weft-nats': client = {}, 'weft-nats-users': users = {} } = secrets();
    seed = client['user.nk'] ?? '';
    for (const name of ['nats', 'nats-users', 'nats-tls', 'authority']) mkdirSync(join(folder, name));
    file('nats-users/users.conf', users['users.conf'] ?? '');
    const made = makeCertificate(join(folder, 'authority'), ['localhost']);
    authorityFile = made.authorityFile;
    file('nats-tls/ca.crt', readFileSync(authorityFile, 'utf8'));
    file('nats-tls/tls.crt', readFileSync(made.certificateFile, 'utf8'));
    file('nats-tls/tls.key', readFileSync(made.keyFile, 'utf8'));
    const text = readFileSync(join(MANIFESTS, 'components', 'nats-security', 'nats.conf'), 'utf8')
      .replaceAll('/etc/nats-tls/', join(folder, 'nats-tls/'))
      // NatsServer passes these on the command line.
      .replace(/^(listen|http): .*$/gm, '')
      .replace('store_dir: /data, ', '');
    const cluster = await startNatsCluster(folder, ({ index, routes }) =>
      text
        .replace(/weft-nats-(\d)\.weft-nats-peers:6222/g, (_, peer: string) => `localhost:${routes[Number(peer)]}`)
        .replace('$POD_NAME', `weft-nats-${index}`)
        .replace('0.0.0.0:6222', `127.0.0.1:${routes[index]}`),
    );
    servers.push(...cluster.servers);
    ports = cluster.ports;
  });

  it('keep a stream in three copies for a client with the key of the secret', async () => {
    const connection = await connected(natsSettings(ports[0] ?? 0, seed, authorityFile));
    const manager = await connection.jetstreamManager({ checkAPI: false });
    await until('the servers have found each other', async () =>
      manager.streams.add({ name: 'PROOF', subjects: ['proof'], num_replicas: 3 }).then(
        () => true,
        () => false,
      ),
    );
    const { cluster } = await manager.streams.info('PROOF');
    expect([cluster?.leader, ...(cluster?.replicas ?? []).map(({ name }) => name)].sort()).toEqual([
      'weft-nats-0',
      'weft-nats-1',
      'weft-nats-2',
    ]);
  });

  it('refuse another key, and a client without one', async () => {
    const [port = 0] = ports;
    const refusal = 'NATS refused the authentication';
    await expect(connected(natsSettings(port, makeKey().seed, authorityFile))).rejects.toThrow(refusal);
    await expect(connected({ natsUrl: `tls://localhost:${port}`, natsCaFile: authorityFile })).rejects.toThrow(refusal);
    await connected(natsSettings(port, seed, authorityFile));
  });

  it('continue with a client whose own server has ended, under the name in its certificate', async () => {
    const connection = await connected(natsSettings(ports[1] ?? 0, seed, authorityFile));
    // Servers send clients the addresses of all servers, which no certificate contains.
    await until('the client knows all servers', async () => (connection.info?.connect_urls ?? []).length === 3);
    await servers[1]?.stop();
    await until('the client is connected to another server', () =>
      connection.flush().then(
        () => connection.getServer() !== `localhost:${ports[1]}`,
        () => false,
      ),
    );
  });

  it('are refused by a client that trusts another authority', async () => {
    const other = makeCertificate(mkdtempSync(join(folder, 'other-')), ['localhost']);
    await expect(connected(natsSettings(ports[0] ?? 0, seed, other.authorityFile))).rejects.toThrow(/certificate/);
  });
});

interface Spec {
  readonly secretName?: string;
  readonly dnsNames?: readonly string[];
  readonly template?: {
    readonly spec: {
      readonly containers: readonly {
        readonly env?: readonly { readonly name: string; readonly value?: string }[];
        readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
      }[];
      readonly volumes?: readonly {
        readonly name: string;
        readonly secret?: { readonly secretName: string; readonly items?: readonly { readonly path: string }[] };
      }[];
    };
  };
}

(HAS_KUBECTL ? describe : describe.skip)('the component nats-security', () => {
  const objects = HAS_KUBECTL ? renderWith<Spec>('production', ['nats-security', 'nats-certificate']) : [];
  const find = (kind: string, name: string): Rendered<Spec> | undefined =>
    objects.find((object) => object.kind === kind && object.metadata.name === name);

  it.each(['executions', 'runner'] as const)('gives %s the files that its variables name, without the key', (name) => {
    const pod = find('Deployment', `weft-${name}`)?.spec.template?.spec;
    const [container] = pod?.containers ?? [];
    const known = tableOf(name).map(({ env }) => env);
    const valueOf = (variable: string): string => {
      expect(known).toContain(variable);
      return container?.env?.find((one) => one.name === variable)?.value ?? '';
    };
    const secretAt = (path: string) => {
      const mount = container?.volumeMounts?.find(({ mountPath }) => path.startsWith(`${mountPath}/`));
      return pod?.volumes?.find((volume) => volume.name === mount?.name)?.secret;
    };
    expect(secretAt(valueOf('NATS_NKEY_FILE'))).toMatchObject({ secretName: 'weft-nats' });
    expect(secretAt(valueOf('NATS_CA_FILE'))).toEqual({
      secretName: 'weft-nats-tls',
      items: [{ key: 'ca.crt', path: 'ca.crt' }],
    });
  });

  it('has a certificate for the names by which clients and servers are called', () => {
    const spec = find('Certificate', 'weft-nats')?.spec;
    const volumes = find('StatefulSet', 'weft-nats')?.spec.template?.spec.volumes ?? [];
    expect(volumes.map(({ secret }) => secret?.secretName)).toContain(spec?.secretName);
    const conf = readFileSync(join(MANIFESTS, 'components', 'nats-security', 'nats.conf'), 'utf8');
    const peers = [...conf.matchAll(/weft-nats-\d\.([\w-]+):/g)].map(([, service = '']) => `*.${service}`);
    expect(spec?.dnsNames).toEqual(['weft-nats', ...new Set(peers)]);
  });

  it('changes nothing of the cluster but its security', () => {
    const lines = (component: string): string[] =>
      readFileSync(join(MANIFESTS, 'components', component, 'nats.conf'), 'utf8').split('\n');
    const secured = lines('nats-security');
    expect(lines('nats-cluster').filter((line) => !secured.includes(line))).toEqual([]);
  });
});
