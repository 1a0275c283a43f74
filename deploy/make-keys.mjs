// The secrets that every deployment needs, made anew: for the scripts beside that put them where they belong.
import { generateKeyPairSync, randomBytes } from 'node:crypto';

/** The services, each with a key pair of its own. */
export const SERVICES = ['gateway', 'workflows', 'executions', 'credentials', 'runner'];

/** A random password of 24 characters. */
export const makePassword = () => randomBytes(18).toString('base64url');

/** `MASTER_KEY`: its id, which no other key has, and 32 random bytes. */
export const makeMasterKey = () => `k${randomBytes(6).toString('hex')}:${randomBytes(32).toString('base64')}`;

/** `SERVICE_KEY` of each of those services by its name, and `SERVICE_PUBLIC_KEYS` of them; of all by default. */
export const makeServiceKeys = (services = SERVICES) => {
  const encode = (key, type) => key.export({ format: 'der', type }).toString('base64');
  const pairs = services.map((service) => ({ service, ...generateKeyPairSync('ed25519') }));
  return {
    privateKeys: Object.fromEntries(pairs.map(({ service, privateKey }) => [service, encode(privateKey, 'pkcs8')])),
    publicKeys: pairs.map(({ service, publicKey }) => `${service}=${encode(publicKey, 'spki')}`).join(','),
  };
};
