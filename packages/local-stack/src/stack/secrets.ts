import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StackError } from '../errors';
import type { Environment } from '../places';
import { newApiKey } from './api-key';
import { forEachService } from './services';
import type { ServiceName } from './services';

/** A key pair that signs tokens between services. */
export interface ServiceKeyPair {
  /** Ed25519 private key, PKCS #8 DER in base64. */
  readonly privateKey: string;
  /** Its public key, SPKI DER in base64. */
  readonly publicKey: string;
}

/** Secrets of a stack. */
export interface Secrets {
  readonly ownerEmail: string;
  readonly ownerPassword: string;
  readonly ownerApiKey: string;
  /** Key under which credentials are sealed: `<id>:<32 bytes in base64>`. */
  readonly masterKey: string;
  readonly serviceKeys: Readonly<Record<ServiceName, ServiceKeyPair>>;
}

/** File in the data folder that holds them, readable by its owner alone. */
export const SECRETS_FILE = 'secrets.json';

/**
 * Reads the secrets of a data folder, made at its first start. `WEFT_OWNER_EMAIL`, `WEFT_OWNER_PASSWORD` and
 * `WEFT_OWNER_API_KEY` replace the owner's for this start without being stored.
 * Throws a sentence if the file cannot be understood: making new secrets would lose every stored credential.
 */
export function loadSecrets(data: string, environment: Environment): Secrets {
  const file = join(data, SECRETS_FILE);
  if (!existsSync(file)) writeSecrets(file, newSecrets());
  return withOwner(readSecrets(file), environment);
}

/** Secrets with the owner that the environment names. */
export function withOwner(secrets: Secrets, environment: Environment): Secrets {
  return {
    ...secrets,
    ownerEmail: environment['WEFT_OWNER_EMAIL'] || secrets.ownerEmail,
    ownerPassword: environment['WEFT_OWNER_PASSWORD'] || secrets.ownerPassword,
    ownerApiKey: environment['WEFT_OWNER_API_KEY'] || secrets.ownerApiKey,
  };
}

/** New random secrets. */
export function newSecrets(): Secrets {
  return {
    ownerEmail: 'owner@weft.local',
    ownerPassword: randomBytes(15).toString('base64url'),
    ownerApiKey: newApiKey(),
    masterKey: `k${randomBytes(4).toString('hex')}:${randomBytes(32).toString('base64')}`,
    serviceKeys: forEachService(makeKeyPair),
  };
}

function makeKeyPair(): ServiceKeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
  };
}

function writeSecrets(file: string, secrets: Secrets): void {
  const draft = `${file}.draft`;
  rmSync(draft, { force: true });
  writeFileSync(draft, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flag: 'wx', flush: true });
  renameSync(draft, file);
}

function readSecrets(file: string): Secrets {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const keys = fieldOf(value, 'serviceKeys');
    return {
      ownerEmail: textOf(value, 'ownerEmail'),
      ownerPassword: textOf(value, 'ownerPassword'),
      ownerApiKey: textOf(value, 'ownerApiKey'),
      masterKey: textOf(value, 'masterKey'),
      serviceKeys: forEachService((service) => {
        const pair = fieldOf(keys, service);
        return { privateKey: textOf(pair, 'privateKey'), publicKey: textOf(pair, 'publicKey') };
      }),
    };
  } catch {
    throw new StackError(
      `${file} is damaged. Put back a copy of it; if there is none, remove the data folder to start again ` +
        'without its credentials.',
    );
  }
}

function textOf(value: unknown, name: string): string {
  const field = fieldOf(value, name);
  if (typeof field !== 'string' || field === '') throw new Error(`${name} is missing`);
  return field;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}
