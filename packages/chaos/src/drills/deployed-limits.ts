import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SERVICES, StackError, type ServiceName } from '@weft/local-stack';

/** Resources of a process of a service by the manifests. */
export interface DeployedLimit {
  /** Memory limit of its container, in bytes. */
  readonly memoryBytes: number;
  /** NODE_OPTIONS with its heap. */
  readonly nodeOptions: string;
}

const UNITS: Readonly<Record<string, number>> = { Mi: 2 ** 20, Gi: 2 ** 30 };

const readLimit = (folder: string, service: ServiceName): DeployedLimit => {
  const file = join(folder, `${service}.yaml`);
  const text = readFileSync(file, 'utf8');
  const [, amount = '', unit = ''] = /limits:\s*\{\s*memory:\s*(\d+)(Mi|Gi)/.exec(text) ?? [];
  const nodeOptions = /NODE_OPTIONS,\s*value:\s*"([^"]+)"/.exec(text)?.[1];
  const scale = UNITS[unit];
  if (scale === undefined || nodeOptions === undefined)
    throw new StackError(`${file} does not state a memory limit and NODE_OPTIONS in the form that is read here.`);
  return { memoryBytes: Number(amount) * scale, nodeOptions };
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
