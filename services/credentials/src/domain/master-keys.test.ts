import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { deriveKey, masterKeyErrors, readMasterKey } from './master-keys';

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
});
