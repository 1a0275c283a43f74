import { stopLimitMs } from '@weft/service-kit/lifecycle';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { MANIFESTS, objectsOf } from './rendered';
import { root, SERVICES, tableOf, type ServiceName } from './services';

interface Workload {
  readonly template: {
    readonly spec: {
      readonly terminationGracePeriodSeconds: number;
      readonly containers: readonly {
        readonly env: readonly { readonly name: string; readonly value?: string }[];
        readonly startupProbe: unknown;
        readonly livenessProbe: unknown;
        readonly lifecycle?: { readonly preStop: { readonly sleep: { readonly seconds: number } } };
      }[];
    };
  };
}
interface Compose {
  readonly services: Readonly<
    Record<string, { readonly stop_grace_period: string; readonly environment: Readonly<Record<string, string>> }>
  >;
}

/** Seconds between the time at which a process ends itself and that at which the orchestrator kills it. */
const SPARE_S = 5;

const compose: Compose = parse(readFileSync(join(root, 'compose.yaml'), 'utf8'), { merge: true });
const podOf = (service: ServiceName) =>
  objectsOf<Workload>(readFileSync(join(MANIFESTS, 'base', `${service}.yaml`), 'utf8')).find(
    ({ kind }) => kind === 'Deployment',
  )?.spec.template.spec;

/** Seconds that a service takes to stop at most, with the settings of its deployment. */
const stopLimit = (service: ServiceName, given: (name: string) => string | undefined): number => {
  const valueOf = (name: string): number =>
    Number(given(name) ?? tableOf(service).find(({ env }) => env === name)?.default ?? 0);
  return stopLimitMs(valueOf('DRAIN_MS')) / 1_000;
};

describe.each(SERVICES)('the time that %s has to stop', (service) => {
  it('is longer in Kubernetes than the process and its preStop hook take', () => {
    const pod = podOf(service);
    const container = pod?.containers[0];
    const limit = stopLimit(service, (name) => container?.env.find((one) => one.name === name)?.value);
    const preStop = container?.lifecycle?.preStop.sleep.seconds ?? 0;
    expect(pod?.terminationGracePeriodSeconds).toBe(preStop + limit + SPARE_S);
  });

  it('is longer in Docker Compose than the process takes', () => {
    const container = compose.services[service];
    const limit = stopLimit(service, (name) => container?.environment[name]);
    expect(Number(container?.stop_grace_period.replace(/s$/, ''))).toBeGreaterThanOrEqual(limit + SPARE_S);
  });
});

describe.each(SERVICES)('the start of %s', (service) => {
  it('is not given up while its database or its broker is away: what is alive is not ended', () => {
    const container = podOf(service)?.containers[0];
    const port = Number(container?.env.find(({ name }) => name === 'METRICS_PORT')?.value);
    const probes = [container?.startupProbe, container?.livenessProbe];
    // The gateway needs neither. The gRPC port of the others is open once they have started.
    const expected = service === 'gateway' ? { port: 8080 } : { path: '/livez', port };
    for (const probe of probes) expect(probe).toMatchObject({ httpGet: expected });
  });
});
