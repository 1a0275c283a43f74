import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** The root of the repository. */
export const root = join(__dirname, '..', '..', '..', '..');

/** The services, each with a configuration table. */
export const SERVICES = ['gateway', 'workflows', 'executions', 'credentials', 'runner'] as const;

/** Names of the images of the manifests. */
export const IMAGES = [...SERVICES, 'operator'] as const;

export type ServiceName = (typeof SERVICES)[number];

/** Variables of the process that no configuration table lists. */
export const PROCESS_VARIABLES: readonly string[] = ['NODE_OPTIONS'];

/** A row of a configuration table. */
export interface Field {
  readonly env: string;
  /** Absent: the variable must be set. */
  readonly default?: unknown;
  readonly secret?: boolean;
  readonly fromFile?: boolean;
}

const configOf = (service: ServiceName): string =>
  JSON.stringify(join(root, 'services', service, 'dist', 'src', 'config.js'));

const evaluate = (script: string, environment: Readonly<Record<string, string>> = {}): string =>
  execFileSync(process.execPath, ['-e', script], { encoding: 'utf8', env: environment, stdio: 'pipe' });

/** The configuration table of a service. */
export const tableOf = (service: ServiceName): Field[] => {
  const fields: Field[] = JSON.parse(
    evaluate(`process.stdout.write(JSON.stringify(Object.values(require(${configOf(service)}).config.table)))`),
  );
  return fields;
};

/** Loads the configuration of a service from an environment. @throws Error that names every problem */
export const loadFrom = (service: ServiceName, environment: Readonly<Record<string, string>>): void => {
  evaluate(`require(${configOf(service)}).config.load()`, environment);
};
