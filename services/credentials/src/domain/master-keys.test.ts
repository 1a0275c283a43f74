import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { checkFingerprints, deriveKey, masterKeyErrors, readMasterKey } from './master-keys';

const secret = randomBytes(32);
const text = `k1:${secret.toString('base64')}`;

describe('readMasterKey', () => {
  it('reads a key id and 32 bytes', () => {
    expect(readMasterKey(text)).toMatchObject({ kid: 'k1' });
    expect(readMasterKey(` ${text}\n`).key.equals(readMasterKey(text).key)).toBe(true);
  });

  it.each([
    ['nothing', '', 'is not'],
    ['a key without an id', secret.toString('base64'), 'is not'],
    ['an empty id', `:${secret.toString('base64')}`, 'is not'],
    ['an id with a space', `k 1:${secret.toString('base64')}`, 'is not'],
    ['hexadecimal', `k1:${secret.toString('hex')}`, 'holds 48 bytes'],
    ['31 bytes', `k1:${secret.subarray(1).toString('base64')}`, 'holds 31 bytes'],
    ['33 bytes', `k1:${randomBytes(33).toString('base64')}`, 'holds 33 bytes'],
    ['nothing but zeros', `k1:${Buffer.alloc(32).toString('base64')}`, 'is not random'],
    ['one byte repeated', `k1:${Buffer.alloc(32, 7).toString('base64')}`, 'is not random'],
    ['a word repeated', `k1:${Buffer.from('changeme'.repeat(4)).toString('base64')}`, 'is not random'],
  ])('refuses %s', (_, given, message) => {
    expect(() => readMasterKey(given)).toThrow(message);
  });

  it('reveals none of its bytes when it is refused or printed', () => {
    const shown = [inspect(readMasterKey(text), { depth: 5 }), JSON.stringify(readMasterKey(text))].join();
    expect(shown).not.toContain(secret.toString('base64').slice(0, 10));
    expect(() => readMasterKey(`k1:${secret.toString('hex')}`)).not.toThrow(secret.toString('hex'));
  });
});

describe('deriveKey', () => {
  it('derives the same key for the same purpose, and different ones for other purposes and master keys', () => {
    const [one, two] = [readMasterKey(text), readMasterKey(`k2:${randomBytes(32).toString('base64')}`)];
    const purposes = ['wrap', 'api-key', 'sign-in-name'] as const;
    const exported = [one, two].flatMap((master) =>
      purposes.map((purpose) => deriveKey(master, purpose).export().toString('hex')),
    );
    expect(new Set(exported).size).toBe(6);
    expect(deriveKey(readMasterKey(text), 'wrap').export().toString('hex')).toBe(exported[0]);
  });
});

describe('masterKeyErrors', () => {
  it('refuses two keys with the same id', () => {
    const current = readMasterKey(text);
    expect(masterKeyErrors({ current, previous: readMasterKey(text) })).toHaveLength(1);
    expect(masterKeyErrors({ current, previous: undefined })).toEqual([]);
  });

  it('refuses another key under an id that was in use, and accepts the two in any order', () => {
    const [one, two] = [readMasterKey(text), readMasterKey(`k2:${randomBytes(32).toString('base64')}`)];
    const other = readMasterKey(`k1:${randomBytes(32).toString('base64')}`);
    const former = { current: one, previous: undefined };
    expect(masterKeyErrors({ current: two, previous: one }, former)).toEqual([]);
    expect(masterKeyErrors({ current: two, previous: other }, former)).toEqual([
      expect.stringMatching(/^The master key with the id k1 is another one .* Restore the previous key, or give/),
    ]);
  });
});

describe('checkFingerprints', () => {
  const noted = new Map<string, string>();
  const note = (kid: string, fingerprint: string): Promise<string> => {
    noted.set(kid, noted.get(kid) ?? fingerprint);
    return Promise.resolve(noted.get(kid) ?? '');
  };

  it('remembers the key of each id, and refuses another one, without storing any part of a key', async () => {
    const current = readMasterKey(text);
    await checkFingerprints({ current, previous: undefined }, note);
    await checkFingerprints({ current: readMasterKey(text), previous: undefined }, note);
    const other = readMasterKey(`k1:${randomBytes(32).toString('base64')}`);
    const fresh = readMasterKey(`k2:${randomBytes(32).toString('base64')}`);
    await expect(checkFingerprints({ current: fresh, previous: other }, note)).rejects.toThrow('the id k1 is another');
    expect([...noted.keys()]).toEqual(['k1', 'k2']);
    for (const derived of ['wrap', 'api-key'] as const)
      expect(noted.get('k1')).not.toBe(deriveKey(current, derived).export().toString('base64url'));
    expect(noted.get('k1')).not.toBe(secret.toString('base64url'));
  });
});
