import { generateKeyPairSync } from 'node:crypto';
import { createTokenSigner, type TokenSigner } from '../auth';

/** Keys of all services of a test. */
export interface TestKeys {
  readonly privateKeyOf: (service: string) => string;
  /** As in SERVICE_PUBLIC_KEYS. */
  readonly publicKeys: string;
  readonly signerOf: (service: string) => TokenSigner;
}

/** Creates a key pair for each service. */
export const makeTestKeys = (services: readonly string[]): TestKeys => {
  const pairs = services.map((service) => ({ service, ...generateKeyPairSync('ed25519') }));
  const privateKeyOf = (service: string): string => {
    const pair = pairs.find((candidate) => candidate.service === service);
    if (pair === undefined) throw new Error(`The test has no keys for ${service}.`);
    return pair.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  };
  return {
    privateKeyOf,
    publicKeys: pairs
      .map(
        ({ service, publicKey }) =>
          `${service}=${publicKey.export({ format: 'der', type: 'spki' }).toString('base64')}`,
      )
      .join(','),
    signerOf: (service) => createTokenSigner(service, privateKeyOf(service)),
  };
};
