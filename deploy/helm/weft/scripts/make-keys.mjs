// Makes the secrets that every deployment needs, for the scripts in this folder that put them where they belong.
import { generateKeyPairSync, randomBytes } from 'node:crypto';

/** The services, each with a separate key pair. */
export const SERVICES = ['gateway', 'workflows', 'executions', 'credentials', 'runner'];

/** A random password of 24 characters. */
export const makePassword = () => randomBytes(18).toString('base64url');

/** `MASTER_KEY`: a unique id and 32 random bytes. */
export const makeMasterKey = () => `k${randomBytes(6).toString('hex')}:${randomBytes(32).toString('base64')}`;

/** `SERVICE_KEY` of each given service, by name, and their `SERVICE_PUBLIC_KEYS`; all services by default. */
export const makeServiceKeys = (services = SERVICES) => {
  const encode = (key, type) => key.export({ format: 'der', type }).toString('base64');
  const pairs = services.map((service) => ({ service, ...generateKeyPairSync('ed25519') }));
  return {
    privateKeys: Object.fromEntries(pairs.map(({ service, privateKey }) => [service, encode(privateKey, 'pkcs8')])),
    publicKeys: pairs.map(({ service, publicKey }) => `${service}=${encode(publicKey, 'spki')}`).join(','),
  };
};

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const toBase32 = (bytes) => {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
};

/** CRC-16 XMODEM, which NATS appends with its low byte first. */
const checksum = (bytes) => {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return [crc & 0xff, crc >> 8];
};

/** The prefixes of NATS keys, five bits each, which make the first letters U and SU. */
const NATS_USER = 20 << 3;
const NATS_SEED = 18 << 3;

/** A new nkey of a NATS user: `seed` signs, and servers know it by `public`. */
export const makeNatsKey = () => {
  const { d, x } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const encode = (prefix, key) => {
    const bytes = [...prefix, ...Buffer.from(key, 'base64url')];
    return toBase32([...bytes, ...checksum(bytes)]);
  };
  return {
    public: encode([NATS_USER], x),
    seed: encode([NATS_SEED | (NATS_USER >> 5), (NATS_USER & 31) << 3], d),
  };
};
