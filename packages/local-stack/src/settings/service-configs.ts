import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Environment } from '../places';
import { SERVICES, type ServiceName } from '../stack/services';

/** The configuration of a service, as its compiled module exports it. */
export interface ServiceConfig {
  readonly table: Readonly<Record<string, { readonly env: string }>>;
  /** Throws an error with `errors`, a sentence for each invalid value. */
  readonly load: (environment: Environment) => unknown;
}

interface ConfigModule {
  readonly config: ServiceConfig;
}

// At run time, since the services are compiled after this package and depend on it in their tests.
const loadLate = createRequire(__filename);

/** Loads the configurations of all services from their compiled files. */
export const loadServiceConfigs = (checkout: string): readonly (readonly [ServiceName, ServiceConfig])[] =>
  SERVICES.map((service) => {
    const module: ConfigModule = loadLate(join(checkout, 'services', service, 'dist/src/config.js'));
    return [service, module.config];
  });
