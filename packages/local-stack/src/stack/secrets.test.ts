import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newApiKey } from './api-key';
import { loadSecrets } from './secrets';

describe('loadSecrets', () => {
  let data: string;
  beforeEach(() => (data = mkdtempSync(join(tmpdir(), 'weft-secrets-'))));
  afterEach(() => rmSync(data, { recursive: true }));

  it('makes them once, in a file that only its owner may read', () => {
    const made = loadSecrets(data, {});
    expect(statSync(join(data, 'secrets.json')).mode & 0o777).toBe(0o600);
    expect(loadSecrets(data, {})).toEqual(made);
  });

  it('makes a separate key pair for each service', () => {
    const { serviceKeys } = loadSecrets(data, {});
    const privateKeys = Object.values(serviceKeys).map(({ privateKey }) => privateKey);
    expect(new Set(privateKeys).size).toBe(5);
    const privateKey = createPrivateKey({
      key: Buffer.from(serviceKeys.runner.privateKey, 'base64'),
      type: 'pkcs8',
      format: 'der',
    });
    const publicKey = createPublicKey({
      key: Buffer.from(serviceKeys.runner.publicKey, 'base64'),
      type: 'spki',
      format: 'der',
    });
    expect(privateKey.asymmetricKeyType).toBe('ed25519');
    expect(verify(null, Buffer.from('x'), publicKey, sign(null, Buffer.from('x'), privateKey))).toBe(true);
  });

  it('makes a master key of 32 bytes with an id', () => {
    const [id, key] = loadSecrets(data, {}).masterKey.split(':');
    expect(id).toMatch(/^k[0-9a-f]{8}$/);
    expect(Buffer.from(key ?? '', 'base64')).toHaveLength(32);
  });

  it('takes the owner from the environment for one start and stores nothing of it', () => {
    const stored = loadSecrets(data, {});
    const given = loadSecrets(data, {
      WEFT_OWNER_EMAIL: 'a@b.example',
      WEFT_OWNER_PASSWORD: 'given',
      WEFT_OWNER_API_KEY: 'weft_given',
    });
    expect(given).toMatchObject({ ownerEmail: 'a@b.example', ownerPassword: 'given', ownerApiKey: 'weft_given' });
    expect(loadSecrets(data, {})).toEqual(stored);
  });

  it.each(['{', '{}', '{"ownerEmail":1}'])('refuses a damaged file (%s) and leaves it unchanged', (text) => {
    writeFileSync(join(data, 'secrets.json'), text);
    expect(() => loadSecrets(data, {})).toThrow(`${join(data, 'secrets.json')} is damaged.`);
    expect(readFileSync(join(data, 'secrets.json'), 'utf8')).toBe(text);
  });
});

describe('newApiKey', () => {
  it('ends with the first four hexadecimal digits of the SHA-256 of its body', () => {
    const [, body = '', checksum] = /^weft_([0-9a-f]{64})([0-9a-f]{4})$/.exec(newApiKey()) ?? [];
    expect(checksum).toBe(createHash('sha256').update(body).digest('hex').slice(0, 4));
  });

  it('is never the same twice', () => {
    expect(newApiKey()).not.toBe(newApiKey());
  });
});
