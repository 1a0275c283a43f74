import { generateKeyPairSync } from 'node:crypto';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const spki = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');

/** One key for all services: nothing checks tokens in the simulation, but each configuration needs a key. */
export const SERVICE_KEY = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');

export const SERVICE_PUBLIC_KEYS = ['gateway', 'workflows', 'executions', 'credentials', 'runner']
  .map((service) => `${service}=${spki}`)
  .join(',');
