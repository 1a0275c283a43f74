import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { loadFrom, PROCESS_VARIABLES, root, SERVICES, tableOf, type ServiceName } from './services';

interface Container {
  readonly image: string;
  readonly build?: {
    readonly context: string;
    readonly dockerfile: string;
    readonly args: { readonly SERVICE: string };
  };
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly mem_limit?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly healthcheck?: { readonly test: readonly unknown[] };
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[];
}

const compose: {
  readonly services: Readonly<Record<string, Container>>;
  readonly volumes: object;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
} = parse(readFileSync(join(root, 'compose.yaml'), 'utf8'), { merge: true });

const containerOf = (name: string): Container => {
  const container = compose.services[name];
  if (container === undefined) throw new Error(`compose.yaml has no service ${name}.`);
  return container;
};

const environmentOf = (service: ServiceName): Readonly<Record<string, string>> =>
  containerOf(service).environment ?? {};

const makeEnv = join(root, 'deploy', 'docker', 'make-env.mjs');

/** The variables that deploy/docker/make-env.mjs writes. */
const written = (folder: string): Record<string, string> => {
  execFileSync(process.execPath, [makeEnv], { cwd: folder });
  const lines = readFileSync(join(folder, '.env'), 'utf8').trim().split('\n');
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
};

/** A value as compose fills it in. @throws Error if a variable is required and not written */
const filledIn = (value: string, variables: Readonly<Record<string, string>>): string =>
  value.replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind = '', rest = ''): string => {
    const known = variables[name] ?? '';
    if (known === '' && kind !== '-') throw new Error(`${name}: ${rest}`);
    return known === '' ? rest : known;
  });

describe('.env of deploy/docker/make-env.mjs', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'weft-env-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('has all that compose.yaml requires, in the form that each service takes', () => {
    const variables = written(folder);
    for (const service of SERVICES) {
      const entries = Object.entries(environmentOf(service));
      const environment = Object.fromEntries(entries.map(([name, value]) => [name, filledIn(value, variables)]));
      expect(() => loadFrom(service, environment)).not.toThrow();
    }
  });

  it('is readable by its owner alone, and never replaced: its master key decrypts the stored data', () => {
    written(folder);
    const before = readFileSync(join(folder, '.env'), 'utf8');
    const { status, stderr } = spawnSync(process.execPath, [makeEnv], { cwd: folder, encoding: 'utf8' });
    expect([status, stderr]).toEqual([1, expect.stringContaining('.env already exists')]);
    expect(readFileSync(join(folder, '.env'), 'utf8')).toBe(before);
    expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600);
  });
});

describe.each(SERVICES)('%s in compose.yaml', (service) => {
  it('gets no variable that it does not read', () => {
    const known = [...tableOf(service).map(({ env }) => env), ...PROCESS_VARIABLES];
    expect(Object.keys(environmentOf(service)).filter((name) => !known.includes(name))).toEqual([]);
  });

  it('gets every variable that it requires', () => {
    const required = tableOf(service).filter((field) => field.default === undefined);
    expect(required.map(({ env }) => env).filter((name) => !(name in environmentOf(service)))).toEqual([]);
  });

  it('is built from the Dockerfile, and bounded like the deployment', () => {
    const container = containerOf(service);
    expect(container.build?.args.SERVICE).toBe(service);
    expect(existsSync(join(root, container.build?.context ?? '', container.build?.dockerfile ?? ''))).toBe(true);
    expect(container).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      mem_limit: expect.stringMatching(/^\d+m$/),
    });
  });

  it('finds its peers, MongoDB and NATS under the names and ports that they have', () => {
    const targets = Object.entries(environmentOf(service)).flatMap(([name, value]) => {
      const [, host = '', port = ''] = /^(?:dns:\/\/|mongodb:|nats:)\/+([\w-]+):(\d+)$/.exec(value) ?? [];
      return host === '' ? [] : [{ name, host, port }];
    });
    expect(targets.length).toBeGreaterThan(0);
    for (const { name, host, port } of targets) {
      const own = containerOf(host).environment?.['PORT'];
      expect([name, port]).toEqual([name, own ?? { mongodb: '27017', nats: '4222' }[host]]);
    }
  });
});

describe('compose.yaml', () => {
  it('pins the images that it does not build', () => {
    const foreign = Object.values(compose.services).filter(({ build }) => build === undefined);
    expect(foreign).toHaveLength(2);
    for (const { image } of foreign) expect(image).toMatch(/^[\w/-]+:\d+\.\d+\.\d+(?:-[\w.]+)?$/);
  });

  it('opens ports on this machine alone', () => {
    const ports = Object.values(compose.services).flatMap((container) => container.ports ?? []);
    expect(ports.length).toBeGreaterThan(0);
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:(\d+):\1$/);
  });

  it('asks every container for its health by a command of strings', () => {
    for (const { image, healthcheck } of Object.values(compose.services)) {
      expect([image, healthcheck?.test[0]]).toEqual([image, 'CMD']);
      expect(healthcheck?.test.filter((word) => typeof word !== 'string')).toEqual([]);
    }
  });

  it('lets only services with a store reach MongoDB, and each service reach the peers that it calls', () => {
    const networksOf = (name: string): readonly string[] => containerOf(name).networks ?? [];
    const reach = (one: string, other: string): boolean =>
      networksOf(one).some((network) => networksOf(other).includes(network));
    for (const service of SERVICES) {
      const values = Object.values(environmentOf(service)).join(' ');
      for (const other of ['mongodb', 'nats', ...SERVICES.filter((name) => name !== service)])
        if (values.includes(`//${other}:`))
          expect([service, other, reach(service, other)]).toEqual([service, other, true]);
      expect([service, reach(service, 'mongodb')]).toEqual([service, values.includes('mongodb://mongodb:')]);
    }
    expect([reach('runner', 'mongodb'), reach('gateway', 'nats')]).toEqual([false, false]);
    for (const name of [...networksOf('mongodb'), ...networksOf('nats')])
      expect(compose.networks[name]?.internal).toBe(true);
  });

  it('tells the gateway how many proxies are in front, and all that use it the address of webhooks', () => {
    const variables = { PUBLIC_URL: 'https://weft.example', TRUST_PROXY: '1', WEBHOOK_HOST: 'https://hooks.example' };
    const filled = (service: ServiceName, name: string): string => {
      const value = environmentOf(service)[name] ?? '';
      return [filledIn(value, {}), filledIn(value, variables)].join(' then ');
    };
    expect(filled('gateway', 'TRUST_PROXY')).toBe('0 then 1');
    for (const service of ['gateway', 'executions', 'runner'] as const)
      expect(filled(service, 'WEBHOOK_HOST')).toBe(' then https://hooks.example');
  });

  it('stores the data of MongoDB and NATS in volumes', () => {
    const names = ['mongodb', 'nats'].flatMap((name) => containerOf(name).volumes ?? []);
    expect(names.map((volume) => volume.split(':')[0])).toEqual(Object.keys(compose.volumes));
  });
});
