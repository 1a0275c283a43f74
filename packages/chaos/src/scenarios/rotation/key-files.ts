import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVICES, type ServiceName } from '@weft/local-stack';
import type { SceneEnvironment } from '../scene';

/** A key pair of a service, as SERVICE_KEY and SERVICE_PUBLIC_KEYS hold its halves. */
interface KeyPair {
  readonly privateKey: string;
  readonly publicKey: string;
}

/** Keys of all services, by service. */
export type ServiceKeys = Readonly<Record<ServiceName, KeyPair>>;

/** The files from which the processes of a stack read their keys. */
export interface KeyFiles {
  /** Variables by which the services read the files. They contain no key. */
  readonly environment: SceneEnvironment;
  /** Publishes the public keys of these sets, all of them at once. */
  readonly putPublic: (...sets: readonly ServiceKeys[]) => void;
  readonly putPrivate: (keys: ServiceKeys) => void;
  /** Both master keys at once, as a mounted secret changes; an empty previous key means none. */
  readonly putMaster: (current: string, previous: string) => void;
  readonly remove: () => void;
}

/** New keys of all services. */
export const makeServiceKeys = (): ServiceKeys => {
  const make = (): KeyPair => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    return {
      privateKey: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
      publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    };
  };
  return { credentials: make(), workflows: make(), executions: make(), runner: make(), gateway: make() };
};

/** A new master key with a new id. */
export const makeMasterKey = (): string => `k${randomBytes(4).toString('hex')}:${randomBytes(32).toString('base64')}`;

/** Makes a folder for the files, empty at first. */
export const createKeyFiles = (): KeyFiles => {
  const folder = mkdtempSync(join(tmpdir(), 'weft-keys-'));
  const pathOf = (name: string): string => join(folder, name);
  // A reader finds the former content or the new one, never a part.
  const put = (name: string, text: string): void => {
    writeFileSync(pathOf(`${name}.draft`), text, { mode: 0o600 });
    renameSync(pathOf(`${name}.draft`), pathOf(name));
  };
  const environment: SceneEnvironment = Object.fromEntries(
    SERVICES.map((service) => [
      service,
      {
        SERVICE_KEY: '',
        SERVICE_KEY_FILE: pathOf(service),
        SERVICE_PUBLIC_KEYS: '',
        SERVICE_PUBLIC_KEYS_FILE: pathOf('public'),
        ...(service === 'credentials'
          ? {
              MASTER_KEY: '',
              MASTER_KEY_FILE: pathOf('master'),
              MASTER_KEY_PREVIOUS: '',
              MASTER_KEY_PREVIOUS_FILE: pathOf('master-previous'),
            }
          : {}),
      },
    ]),
  );
  return {
    environment,
    putPublic: (...sets) =>
      put(
        'public',
        sets.flatMap((keys) => SERVICES.map((service) => `${service}=${keys[service].publicKey}`)).join(','),
      ),
    putPrivate: (keys) => {
      for (const service of SERVICES) put(service, keys[service].privateKey);
    },
    putMaster: (current, previous) => {
      put('master-previous', previous);
      put('master', current);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};
