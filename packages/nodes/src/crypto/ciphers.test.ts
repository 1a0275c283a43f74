import { generateKeyPairSync } from 'node:crypto';
import { runKind } from '../testing/cases/run-kind';
import { CIPHERS, decryptText, encryptText } from './ciphers';

const run = async (action: string, value: string, parameters = {}, credential = {}) => {
  const { outputs, error } = await runKind('crypto', {
    version: 2,
    parameters: { action, value, ...parameters },
    credential: { encryptionPassphrase: 'correct horse', ...credential },
    node: { credentials: { crypto: { id: 'c1' } } },
  });
  if (error !== undefined) throw new Error(error.message);
  return String(Object(outputs[0]?.[0])['data']);
};

describe('encryption with a passphrase', () => {
  it.each(CIPHERS)('with %s differs each time and can be decrypted', async (cipher) => {
    const [one, two] = [await run('encrypt', 'Grüße', { cipher }), await run('encrypt', 'Grüße', { cipher })];
    expect(one).not.toBe(two);
    expect(Buffer.from(one, 'base64')).toHaveLength(1 + 16 + 12 + 16 + Buffer.byteLength('Grüße'));
    expect(await run('decrypt', one, { cipher })).toBe('Grüße');
  });

  it('detects a ciphertext that was changed anywhere, truncated, or created by something else', async () => {
    const whole = Buffer.from(await encryptText('secret', 'pass', 'aes-256-gcm'), 'base64');
    for (const at of [1, 20, 30, whole.length - 1]) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ 1;
      await expect(decryptText(changed.toString('base64'), 'pass', 'aes-256-gcm', 0)).rejects.toThrow(
        'Decryption failed',
      );
    }
    await expect(run('decrypt', whole.subarray(0, 40).toString('base64'))).rejects.toThrow('incomplete');
    await expect(run('decrypt', Buffer.alloc(60).toString('base64'))).rejects.toThrow('unknown form');
  });

  it('rejects another passphrase or cipher without revealing which', async () => {
    const text = await run('encrypt', 'secret');
    const message = 'Decryption failed: wrong passphrase, key or cipher';
    await expect(run('decrypt', text, {}, { encryptionPassphrase: 'other' })).rejects.toThrow(message);
    await expect(run('decrypt', text, { cipher: 'chacha20-poly1305' })).rejects.toThrow(message);
  });
});

describe('encryption with RSA keys', () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const keys = { encryptionPublicKey: publicKey, encryptionPrivateKey: privateKey.replaceAll('\n', '\\n') };
  const mode = { mode: 'asymmetric' };

  it('can be decrypted, even if the key lost its line breaks', async () => {
    expect(await run('decrypt', await run('encrypt', 'short', mode, keys), mode, keys)).toBe('short');
  });

  it('reports a string that is too long, and rejects an invalid key', async () => {
    await expect(run('encrypt', 'x'.repeat(300), mode, keys)).rejects.toThrow('use the symmetric mode');
    await expect(run('decrypt', 'AAAA', mode, keys)).rejects.toThrow('Decryption failed');
    await expect(run('encrypt', 'x', mode, { encryptionPublicKey: 'none' })).rejects.toThrow(
      'public key cannot be used',
    );
  });
});
