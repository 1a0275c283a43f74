import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SERVICES, StackError, type ServiceName } from '@weft/local-stack';

/** Resources of a process of a service by the manifests. */
export interface DeployedLimit {
  /** Memory limit of its container, in bytes. */
  readonly memoryBytes: number;
  /** Variables that bound its memory: NODE_OPTIONS with its heap, and those whose names end in `_MB`. */
  readonly environment: Readonly<Record<string, string>>;
}

const UNITS: Readonly<Record<string, number>> = { Mi: 2 ** 20, Gi: 2 ** 30 };

const readLimit = (folder: string, service: ServiceName): DeployedLimit => {
  const file = join(folder, `${service}.yaml`);
  // behind the init containers, which have separate limits
  const text = readFileSync(file, 'utf8').split(/^ +containers:$/m)[1] ?? '';
  const [, amount = '', unit = ''] = /limits:\s*\{\s*memory:\s*(\d+)(Mi|Gi)/.exec(text) ?? [];
  const nodeOptions = /NODE_OPTIONS,\s*value:\s*["']([^"']+)["']/.exec(text)?.[1];
  const scale = UNITS[unit];
  if (scale === undefined || nodeOptions === undefined)
    throw new StackError(`${file} does not state a memory limit and NODE_OPTIONS in the form that is read here.`);
  const found = text.matchAll(/name: (\w+_MB), value: ["'](\d+)["']/g);
  const bounds = [...found].map(([, name = '', value = '']) => [name, value]);
  return {
    memoryBytes: Number(amount) * scale,
    environment: { ...Object.fromEntries(bounds), NODE_OPTIONS: nodeOptions },
  };
};

/** The limits of the base manifests, by service. */
export const readDeployedLimits = (): Readonly<Record<ServiceName, DeployedLimit>> => {
  const folder = join(__dirname, '../../../../../deploy/k8s/base');
  const [credentials, workflows, executions, runner, gateway] = SERVICES.map((service) => readLimit(folder, service));
  if (
    credentials === undefined ||
    workflows === undefined ||
    executions === undefined ||
    runner === undefined ||
    gateway === undefined
  )
    throw new Error('A service has no manifest.');
  return { credentials, workflows, executions, runner, gateway };
};
