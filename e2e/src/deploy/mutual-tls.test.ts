import { HAS_KUBECTL, renderWith, type Rendered } from './rendered';
import { SERVICES, tableOf, type ServiceName } from './services';

interface Probe {
  readonly httpGet?: { readonly path: string; readonly port: number };
  readonly grpc?: unknown;
}
interface Container {
  readonly env: readonly { readonly name: string; readonly value?: string }[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
  readonly startupProbe: Probe;
  readonly readinessProbe: Probe;
  readonly livenessProbe: Probe;
}
interface Spec {
  readonly secretName?: string;
  readonly dnsNames?: readonly string[];
  readonly usages?: readonly string[];
  readonly issuerRef?: { readonly name: string };
  readonly ports?: readonly { readonly appProtocol: string }[];
  readonly template?: {
    readonly spec: {
      readonly containers: readonly Container[];
      readonly volumes: readonly { readonly name: string; readonly secret?: { readonly secretName: string } }[];
    };
  };
}

const FILES = ['GRPC_TLS_CERT_FILE', 'GRPC_TLS_KEY_FILE', 'GRPC_TLS_CA_FILE'];

(HAS_KUBECTL ? describe : describe.skip)('the component mutual-tls', () => {
  const objects = HAS_KUBECTL ? renderWith<Spec>('production', ['mutual-tls', 'mutual-tls-certificates']) : [];
  const find = (kind: string, name: string): Rendered<Spec> | undefined =>
    objects.find((object) => object.kind === kind && object.metadata.name === name);
  const podOf = (service: ServiceName) => find('Deployment', `weft-${service}`)?.spec.template?.spec;
  const valueOf = (container: Container | undefined, name: string): string =>
    container?.env.find((variable) => variable.name === name)?.value ?? '';

  it.each(SERVICES)('gives %s a separate certificate, in the files that its variables name', (service) => {
    const pod = podOf(service);
    const [container] = pod?.containers ?? [];
    const known = tableOf(service).map(({ env }) => `${env}_FILE`);
    const certificate = find('Certificate', `weft-${service}-grpc`)?.spec;
    const found = FILES.map((name) => {
      expect(known).toContain(name);
      const path = valueOf(container, name);
      const mount = container?.volumeMounts.find(({ mountPath }) => path.startsWith(`${mountPath}/`));
      const volume = pod?.volumes.find((one) => one.name === mount?.name);
      return [volume?.secret?.secretName, path.slice((mount?.mountPath.length ?? 0) + 1)];
    });
    expect(found).toEqual(['tls.crt', 'tls.key', 'ca.crt'].map((key) => [certificate?.secretName, key]));
  });

  it('has certificates for the names by which services call each other', () => {
    const targets = SERVICES.flatMap((service) => podOf(service)?.containers[0]?.env ?? []).filter(({ name }) =>
      name.endsWith('_TARGET'),
    );
    expect(targets.length).toBeGreaterThan(10);
    for (const { name, value = '' } of targets) {
      const [, host = ''] = /^dns:\/\/\/([^:]+):\d+$/.exec(value) ?? [];
      const service = name.replace('_TARGET', '').toLowerCase();
      const certificate = find('Certificate', `weft-${service}-grpc`)?.spec;
      expect([value, certificate?.dnsNames]).toEqual([value, [host]]);
      expect(certificate?.usages).toEqual(expect.arrayContaining(['server auth', 'client auth']));
    }
  });

  it.each(SERVICES)('leaves %s probes that need no certificate', (service) => {
    const [container] = podOf(service)?.containers ?? [];
    const port = service === 'gateway' ? 8080 : Number(valueOf(container, 'METRICS_PORT'));
    for (const probe of [container?.startupProbe, container?.readinessProbe, container?.livenessProbe]) {
      expect(probe?.grpc).toBeUndefined();
      expect(probe?.httpGet).toEqual({ path: expect.stringMatching(/^\/(livez|readyz)$/), port });
    }
    if (service !== 'gateway') expect(container?.startupProbe.httpGet?.path).toBe('/livez');
  });

  it('has a certificate for gRPC clients of the same authority, which cannot pose as a service', () => {
    const added = renderWith<Spec>('production', ['mutual-tls', 'mutual-tls-certificates', 'grpc-clients-certificate']);
    const client = added.find(({ metadata }) => metadata.name === 'weft-grpc-client')?.spec;
    expect([client?.dnsNames, client?.usages]).toEqual([['weft-grpc-client'], ['digital signature', 'client auth']]);
    expect(client?.issuerRef).toEqual(find('Certificate', 'weft-workflows-grpc')?.spec.issuerRef);
  });

  it('says of no port that it speaks plain text', () => {
    for (const service of SERVICES.filter((name) => name !== 'gateway'))
      expect(find('Service', `weft-${service}`)?.spec.ports?.map(({ appProtocol }) => appProtocol)).toEqual(['https']);
  });
});
