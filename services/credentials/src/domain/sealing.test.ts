import { randomBytes } from 'node:crypto';
import { readMasterKey, type MasterKeys } from './master-keys';
import { createSealer, type Sealed } from './sealing';

const masterKey = (kid: string) => readMasterKey(`${kid}:${randomBytes(32).toString('base64')}`);
const keysOf = (current: MasterKeys['current'], previous?: MasterKeys['current']): MasterKeys => ({
  current,
  previous,
});

const OWNER = { id: 'id-1', type: 'httpHeaderAuth', ownerId: 'user-1' };
const TEXT = '{"name":"X","value":"sécret"}';

describe('a sealed text', () => {
  const key = masterKey('k1');
  const sealer = createSealer(keysOf(key));
  const sealed = sealer.seal(OWNER, TEXT);
  const opens = (owner: typeof OWNER, changed: Sealed): boolean => {
    try {
      return sealer.open(owner, changed) === TEXT;
    } catch (error) {
      expect(error).toMatchObject({ reason: 'CREDENTIAL_UNREADABLE' });
      return false;
    }
  };

  it('opens for its credential and reveals nothing of its content', () => {
    expect(sealer.open(OWNER, sealed)).toBe(TEXT);
    expect(Buffer.from(sealed.ciphertext, 'base64').includes('cret')).toBe(false);
    expect(sealed).toMatchObject({ v: 2, kid: 'k1' });
  });

  it('differs each time', () => {
    const again = sealer.seal(OWNER, TEXT);
    for (const part of ['wrappedKey', 'iv', 'ciphertext', 'tag'] as const) expect(again[part]).not.toBe(sealed[part]);
  });

  it('does not open for another id, type or owner', () => {
    expect(opens({ ...OWNER, id: 'id-2' }, sealed)).toBe(false);
    expect(opens({ ...OWNER, type: 'httpBasicAuth' }, sealed)).toBe(false);
    expect(opens({ ...OWNER, ownerId: 'user-2' }, sealed)).toBe(false);
    expect(opens({ ...OWNER, id: 'id-1httpHeaderAuth', type: '' }, sealed)).toBe(false);
  });

  it.each(['wrappedKey', 'iv', 'ciphertext', 'tag'] as const)('does not open when any bit of %s is changed', (part) => {
    const bytes = Buffer.from(sealed[part], 'base64');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(opens(OWNER, { ...sealed, [part]: changed.toString('base64') })).toBe(false);
    }
  });

  it.each(['wrappedKey', 'iv', 'ciphertext', 'tag'] as const)(
    'does not open when %s is cut, extended, emptied or encoded differently',
    (part) => {
      const bytes = Buffer.from(sealed[part], 'base64');
      const texts = [
        bytes.subarray(1),
        bytes.subarray(0, -1),
        bytes.subarray(0, 4),
        Buffer.concat([bytes, Buffer.alloc(1)]),
      ].map((changed) => changed.toString('base64'));
      for (const text of [...texts, '', `${sealed[part]} `, `!${sealed[part]}`, bytes.toString('hex')])
        expect(opens(OWNER, { ...sealed, [part]: text })).toBe(false);
    },
  );

  it.each(['wrappedKey', 'iv', 'ciphertext', 'tag'] as const)('does not open with the %s of another one', (part) => {
    const other = sealer.seal(OWNER, TEXT);
    expect(opens(OWNER, { ...sealed, [part]: other[part] })).toBe(false);
  });

  it('does not open under another version or key id', () => {
    const two = createSealer(keysOf(masterKey('k2'), key));
    for (const v of [0, 1, 3]) expect(opens(OWNER, { ...sealed, v })).toBe(false);
    expect(opens(OWNER, { ...sealed, kid: 'k2' })).toBe(false);
    expect(() => two.open(OWNER, { ...sealed, kid: 'k2' })).toThrow('cannot be decrypted');
  });

  it('does not open under another key id even if both name the same key', () => {
    const bytes = randomBytes(32).toString('base64');
    const twice = createSealer(keysOf(readMasterKey(`k1:${bytes}`), readMasterKey(`k2:${bytes}`)));
    const own = twice.seal(OWNER, TEXT);
    expect(twice.open(OWNER, own)).toBe(TEXT);
    expect(() => twice.open(OWNER, { ...own, kid: 'k2' })).toThrow('cannot be decrypted');
  });

  it('reports errors without any of its content', () => {
    const other = createSealer(keysOf(masterKey('k1')));
    expect(() => other.open(OWNER, sealed)).toThrow(
      'The data of credential id-1 cannot be decrypted. Enter it again, or configure the master key it ' +
        'was encrypted with.',
    );
  });
});

describe('a change of the master key', () => {
  const [old, fresh] = [masterKey('old'), masterKey('fresh')];
  const sealed = createSealer(keysOf(old)).seal(OWNER, TEXT);

  it('opens text sealed by the previous key, and seals with the current one', () => {
    const during = createSealer(keysOf(fresh, old));
    expect(during.open(OWNER, sealed)).toBe(TEXT);
    expect(during.seal(OWNER, TEXT).kid).toBe('fresh');
    expect(() => createSealer(keysOf(fresh)).open(OWNER, sealed)).toThrow('cannot be decrypted');
  });

  it('rewraps a sealed text under the current key without changing its content', () => {
    const moved = createSealer(keysOf(fresh, old)).rewrap(OWNER, sealed);
    expect(moved).toEqual({ ...sealed, kid: 'fresh', wrappedKey: expect.any(String) });
    expect(createSealer(keysOf(fresh)).open(OWNER, moved)).toBe(TEXT);
    expect(() => createSealer(keysOf(fresh, old)).rewrap({ ...OWNER, id: 'id-2' }, sealed)).toThrow(
      'cannot be decrypted',
    );
  });
});
