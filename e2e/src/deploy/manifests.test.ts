import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { fileVariableOf } from '@weft/service-kit/config';
import { HAS_KUBECTL, MANIFESTS, objectsOf, OVERLAYS, render } from './rendered';
import { PROCESS_VARIABLES, root, SERVICES, tableOf, type Field } from './services';

interface Container {
  readonly name: string;
  readonly image: string;
  readonly env?: readonly {
    readonly name: string;
    readonly value?: string;
    readonly valueFrom?: { readonly secretKeyRef?: unknown };
  }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly resources?: { readonly requests?: Record<string, string>; readonly limits?: Record<string, string> };
  readonly securityContext?: Record<string, unknown>;
  readonly startupProbe?: unknown;
  readonly readinessProbe?: unknown;
  readonly livenessProbe?: unknown;
  readonly lifecycle?: unknown;
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
}
interface SecretVolume {
  readonly name: string;
  readonly secret?: {
    readonly secretName: string;
    readonly items?: readonly { readonly key: string; readonly path: string }[];
  };
}
interface Workload {
  readonly minReadySeconds?: number;
  readonly template?: {
    readonly spec: {
      readonly containers: readonly Container[];
      readonly initContainers?: readonly (Container & { readonly command?: readonly string[] })[];
      readonly volumes?: readonly SecretVolume[];
      readonly securityContext?: Record<string, unknown>;
      readonly automountServiceAccountToken?: boolean;
      readonly topologySpreadConstraints?: readonly { readonly matchLabelKeys?: readonly string[] }[];
    };
  };
}
interface Kustomization {
  readonly configMapGenerator?: readonly { readonly name: string; readonly literals: readonly string[] }[];
}

const workloadOf = (service: string): Workload | undefined =>
  objectsOf<Workload>(readFileSync(join(MANIFESTS, 'base', `${service}.yaml`), 'utf8')).find(
    ({ kind }) => kind === 'Deployment',
  )?.spec;
const containerOf = (service: string): Container => {
  const container = workloadOf(service)?.template?.spec.containers[0];
  if (container === undefined) throw new Error(`No container for ${service}.`);
  return container;
};
const literalsOf = (folder: string, service: string): string[] => {
  const kustomization: Kustomization = parse(readFileSync(join(MANIFESTS, folder, 'kustomization.yaml'), 'utf8'));
  return (kustomization.configMapGenerator ?? [])
    .filter((map) => map.name === `weft-${service}`)
    .flatMap((map) => map.literals.map((literal) => literal.split('=')[0] ?? ''));
};

const fileVariablesOf = ({ env, secret, fromFile }: Field): string[] =>
  secret === true || fromFile === true ? [fileVariableOf(env)] : [];

const rendered = (overlay: string) => render<Workload>(join(MANIFESTS, 'overlays', overlay));

describe.each(SERVICES)('the manifests of %s', (service) => {
  const given = containerOf(service).env?.map((variable) => variable.name) ?? [];
  const fromMaps = ['base', ...OVERLAYS.map((overlay) => join('overlays', overlay))].flatMap((folder) =>
    literalsOf(folder, service),
  );

  it('set no variable that the service does not read', () => {
    const known = tableOf(service).flatMap((field) => [field.env, ...fileVariablesOf(field)]);
    expect(
      [...given, ...fromMaps].filter((name) => !known.includes(name) && !PROCESS_VARIABLES.includes(name)),
    ).toEqual([]);
  });

  it('set every variable that the service requires', () => {
    const required = tableOf(service)
      .filter((field) => field.default === undefined)
      .filter((field) => ![field.env, ...fileVariablesOf(field)].some((name) => given.includes(name)))
      .map((field) => field.env);
    expect(required.filter((name) => !literalsOf('base', service).includes(name))).toEqual([]);
  });

  it('give secrets as files, which are read again, and of each secret what the service needs of it alone', () => {
    const files = tableOf(service).flatMap(fileVariablesOf);
    const secrets = tableOf(service).filter(({ secret }) => secret === true);
    expect(secrets.map(({ env }) => env).filter((name) => given.includes(name))).toEqual([]);
    const { env = [], volumeMounts = [] } = containerOf(service);
    const volumes = workloadOf(service)?.template?.spec.volumes ?? [];
    for (const { value = '' } of env.filter(({ name }) => files.includes(name))) {
      const mount = volumeMounts.find(({ mountPath }) => value.startsWith(`${mountPath}/`));
      const volume = volumes.find(({ name }) => name === mount?.name)?.secret;
      expect([value, volume?.secretName]).toEqual([value, expect.stringMatching(/^weft-/)]);
      const file = value.slice((mount?.mountPath.length ?? 0) + 1);
      if (volume?.items !== undefined) expect(volume.items.map(({ path }) => path)).toContain(file);
      // A pod with the private keys of others can speak for them.
      if (volume?.secretName === 'weft-service-keys')
        expect(volume.items?.map(({ key }) => key).filter((key) => key !== 'public')).toEqual([service]);
    }
  });

  it('name the port of the metrics as the process has it', () => {
    const { ports, env } = containerOf(service);
    const said = env?.find(({ name }) => name === 'METRICS_PORT');
    expect(said).toEqual({ name: 'METRICS_PORT', value: '9464' });
    expect(ports).toContainEqual({ name: 'metrics', containerPort: 9464 });
  });

  it('let callers learn of a pod that goes, and of one that comes, before the next one goes', () => {
    const deployment = workloadOf(service);
    // Only tests of credentials call a runner: they are rare, and the user can repeat them.
    if (service === 'runner') return expect(deployment?.minReadySeconds).toBeUndefined();
    expect(deployment?.minReadySeconds).toBe(10);
    // The gateway waits before it stops; no hook is needed.
    expect(containerOf(service).lifecycle).toEqual(
      service === 'gateway' ? undefined : { preStop: { sleep: { seconds: 10 } } },
    );
  });

  it('migrate the database of the new version before its pod begins, with the settings of the service', () => {
    const hasStore = tableOf(service).some(({ env }) => env === 'MIGRATE_AT_START');
    const [migration, ...others] = workloadOf(service)?.template?.spec.initContainers ?? [];
    if (!hasStore) return expect(migration).toBeUndefined();
    const { image, securityContext, env } = containerOf(service);
    expect(others).toEqual([]);
    expect(migration).toMatchObject({
      image,
      securityContext,
      command: ['node', '--enable-source-maps', 'service/dist/src/migrate.js'],
      // No probe ends the init container, however long an index takes.
      envFrom: [{ configMapRef: { name: `weft-${service}` } }],
    });
    expect(existsSync(join(root, 'services', service, 'dist/src/migrate.js'))).toBe(true);
    expect(env).toContainEqual({ name: 'MIGRATE_AT_START', value: 'off' });
    expect(env?.filter(({ name }) => name.startsWith('MONGODB'))).toEqual(migration?.env);
  });

  it('fit the restricted profile, with probes and bounds', () => {
    const pod = workloadOf(service)?.template?.spec;
    const container = containerOf(service);
    expect(pod?.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    expect(pod?.automountServiceAccountToken).toBe(false);
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(container.resources?.requests?.['memory']).toBe(container.resources?.limits?.['memory']);
    expect(
      [container.startupProbe, container.readinessProbe, container.livenessProbe].every((probe) => probe !== undefined),
    ).toBe(true);
  });
});

(HAS_KUBECTL ? describe : describe.skip)('kubectl kustomize', () => {
  it.each(OVERLAYS)('builds the overlay %s with all five deployments and no image without a tag', (overlay) => {
    const deployments = rendered(overlay).filter((manifest) => manifest.kind === 'Deployment');
    expect(deployments.map((manifest) => manifest.metadata.name).sort()).toEqual(
      SERVICES.map((service) => `weft-${service}`).sort(),
    );
    for (const deployment of deployments)
      expect(deployment.spec.template?.spec.containers[0]?.image).toMatch(/^[\w./-]+:(?!latest)[\w.-]+$/);
  });

  it('names images of a registry that resolves nowhere until an overlay of the reader names theirs', () => {
    const images = rendered('production')
      .filter(({ kind }) => kind === 'Deployment')
      .flatMap(({ spec }) => [...(spec.template?.spec.containers ?? []), ...(spec.template?.spec.initContainers ?? [])])
      .map(({ image }) => image);
    // A name in a public registry could belong to a stranger's image.
    expect(images.filter((image) => !image.startsWith('registry.example.invalid/'))).toEqual([]);
    expect(images.length).toBeGreaterThan(SERVICES.length);
  });

  it('spreads the pods of each deployment separately, not those of all five together', () => {
    const constraints = rendered('production')
      .filter(({ kind }) => kind === 'Deployment')
      .flatMap(({ spec }) => spec.template?.spec.topologySpreadConstraints ?? []);
    expect(constraints.map(({ matchLabelKeys }) => matchLabelKeys)).toEqual(
      Array(2 * SERVICES.length).fill(['app.kubernetes.io/component', 'pod-template-hash']),
    );
  });

  it('shows no secret: every secret is a reference', () => {
    for (const overlay of OVERLAYS)
      expect(rendered(overlay).filter((manifest) => manifest.kind === 'Secret')).toEqual([]);
  });
});
