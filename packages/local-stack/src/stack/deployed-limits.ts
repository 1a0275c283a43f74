import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { StackError } from '../errors';
import { findPlaces } from '../places';
import { forEachService, type ServiceName } from './services';

/** Bounds on the memory of a process of a service, as this repository deploys it. */
export interface DeployedLimit {
  /** Memory limit of its container, in bytes. */
  readonly memoryBytes: number;
  /** Variables that bound its memory: NODE_OPTIONS with its heap, and those whose names end in `_MB`. */
  readonly environment: Readonly<Record<string, string>> & { readonly NODE_OPTIONS: string };
}

interface Deployment {
  readonly kind: string;
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly containers: readonly {
          readonly env: readonly { readonly name: string; readonly value?: string }[];
          readonly resources: { readonly limits: { readonly memory: string } };
        }[];
      };
    };
  };
}

interface ComposeFile {
  readonly services: Readonly<
    Record<ServiceName, { readonly mem_limit: string; readonly environment: Readonly<Record<string, string>> }>
  >;
}

const { checkout } = findPlaces(process.env);
const UNITS: Readonly<Record<string, number>> = { Mi: 2 ** 20, Gi: 2 ** 30 };

/** An amount of memory of a manifest, such as `512Mi`, in bytes. @throws Error if it is not in Mi or Gi */
export const bytesOf = (quantity: string | undefined): number => {
  const [, amount, unit = ''] = /^(\d+)(Mi|Gi)$/.exec(quantity ?? '') ?? [];
  const scale = UNITS[unit];
  if (scale === undefined) throw new Error(`${String(quantity)} is not an amount of memory in Mi or Gi.`);
  return Number(amount) * scale;
};

const limitOf = (file: string, memory: string, variables: Readonly<Record<string, string>>): DeployedLimit => {
  const { NODE_OPTIONS } = variables;
  if (NODE_OPTIONS === undefined) throw new StackError(`${file} sets no NODE_OPTIONS.`);
  const bounds = Object.entries(variables).filter(([name]) => name.endsWith('_MB'));
  return { memoryBytes: bytesOf(memory), environment: { ...Object.fromEntries(bounds), NODE_OPTIONS } };
};

/** The limits of the base manifests, by service. @throws Error if a manifest lacks one */
export const readDeployedLimits = (): Readonly<Record<ServiceName, DeployedLimit>> =>
  forEachService((service) => {
    const file = join(checkout, 'deploy/k8s/base', `${service}.yaml`);
    const objects = parseAllDocuments(readFileSync(file, 'utf8')).map((document): Deployment => document.toJS());
    const [container] = objects.find(({ kind }) => kind === 'Deployment')?.spec.template.spec.containers ?? [];
    if (container === undefined) throw new StackError(`${file} has no Deployment with a container.`);
    const values = container.env.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value] as const]));
    return limitOf(file, container.resources.limits.memory, Object.fromEntries(values));
  });

/** The limits of compose.yaml, by service. @throws Error if a service lacks one */
export const readComposeLimits = (): Readonly<Record<ServiceName, DeployedLimit>> => {
  const file = join(checkout, 'compose.yaml');
  const { services }: ComposeFile = parse(readFileSync(file, 'utf8'), { merge: true });
  return forEachService((service) => {
    const { mem_limit: memory, environment } = services[service];
    // Compose counts in MiB, and calls them m.
    return limitOf(file, memory.replace(/m$/, 'Mi'), environment);
  });
};
