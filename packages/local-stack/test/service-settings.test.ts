import { createRequire } from 'node:module';
import { join } from 'node:path';
import { findPlaces } from '../src/places';
import { loadSecrets } from '../src/stack/secrets';
import { PASSED_ON, serviceEnvironment } from '../src/stack/service-environment';
import { SERVICES, forEachService } from '../src/stack/services';
import type { ServiceName } from '../src/stack/services';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';

interface Setting {
  readonly env: string;
  readonly internal?: boolean;
  /** True if `<env>_FILE` can name a file with it. */
  readonly fromFile?: boolean;
}

interface ConfigModule {
  readonly config: { readonly table: Readonly<Record<string, Setting>> };
}

const load = createRequire(__filename);

/** The variables in a service's own table. */
function settingsOf(service: ServiceName, isWanted: (setting: Setting) => boolean = () => true): string[] {
  const module: ConfigModule = load(join(findPlaces({}).checkout, 'services', service, 'dist/src/config.js'));
  return Object.values(module.config.table)
    .filter(isWanted)
    .map(({ env }) => env);
}

describe('the settings of the services', () => {
  const data = mkdtempSync(join(tmpdir(), 'weft-settings-'));
  const facts = {
    secrets: loadSecrets(data, {}),
    mongodbUri: 'mongodb://m',
    natsUrl: 'nats://n',
    namespace: 'other',
    targets: forEachService(() => ''),
    environment: {},
  };
  rmSync(data, { recursive: true });

  it.each(SERVICES)('of %s are each set by the stack, open to the user, or for tests alone', (service) => {
    const set = Object.keys(serviceEnvironment(service, 1, facts));
    const documented = settingsOf(service, ({ internal }) => internal !== true);
    expect(documented.filter((name) => !set.includes(name) && !PASSED_ON.includes(name))).toEqual([]);
  });

  it.each(SERVICES)('of %s include all that the stack sets for it', (service) => {
    const known = [...settingsOf(service), 'SERVICE_PUBLIC_KEYS'];
    expect(Object.keys(serviceEnvironment(service, 1, facts)).filter((name) => !known.includes(name))).toEqual([]);
  });

  it('are known to a service wherever the user may give one', () => {
    const files = SERVICES.flatMap((service) => settingsOf(service, ({ fromFile }) => fromFile === true));
    const known = [...SERVICES.flatMap((service) => settingsOf(service)), ...files.map((name) => `${name}_FILE`)];
    expect(PASSED_ON.filter((name) => !known.includes(name))).toEqual([]);
  });
});
