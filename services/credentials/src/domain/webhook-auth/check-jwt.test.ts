import { constants, createHmac, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { checkJwt } from './check-jwt';

const NOW = new Date('2026-01-02T03:04:05Z');
const NOW_S = NOW.getTime() / 1_000;

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const headersOf = (token: string) => new Map([['authorization', `Bearer ${token}`]]);
const hs = (hash: string, secret: string) => (signed: string) =>
  createHmac(hash, secret).update(signed).digest('base64url');
const make = (header: object, claims: unknown, signer: (signed: string) => string): string => {
  const signed = `${part(header)}.${part(claims)}`;
  return `${signed}.${signer(signed)}`;
};
const pem = (key: KeyObject): string =>
  key.export({ format: 'pem', type: key.type === 'public' ? 'spki' : 'pkcs8' }).toString();

const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const SHARED = { keyType: 'passphrase', secret: 's3cret', algorithm: 'HS256' };
const check = (token: string, data: Record<string, string> = SHARED) => checkJwt(data, headersOf(token), NOW).kind;

describe('a token under a shared secret', () => {
  it.each([
    ['HS256', 'sha256'],
    ['HS384', 'sha384'],
    ['HS512', 'sha512'],
  ])('is accepted with %s', (alg, hash) => {
    const token = make({ alg }, { sub: 'a' }, hs(hash, 's3cret'));
    expect(checkJwt({ ...SHARED, algorithm: alg }, headersOf(token), NOW)).toEqual({
      kind: 'granted',
      claimsJson: '{"sub":"a"}',
      secretHeader: 'authorization',
    });
    expect(check(token, { ...SHARED, algorithm: alg, secret: 'other' })).toBe('wrong');
  });

  it('uses HS256 if the credential sets no algorithm', () => {
    expect(check(make({ alg: 'HS256' }, {}, hs('sha256', 's3cret')), { secret: 's3cret' })).toBe('granted');
    expect(check(make({ alg: 'HS512' }, {}, hs('sha512', 's3cret')), { secret: 's3cret' })).toBe('wrong');
  });

  it('is refused when it names another algorithm, none at all or an extension', () => {
    for (const header of [
      { alg: 'HS512' },
      { alg: 'none' },
      { alg: 'NONE' },
      { alg: 'hs256' },
      { alg: ['HS256'] },
      {},
      { alg: 'HS256', crit: ['b64'], b64: false },
    ]) {
      expect(check(make(header, {}, hs('sha256', 's3cret')))).toBe('wrong');
    }
    expect(check(`${part({ alg: 'none' })}.${part({})}.`)).toBe('wrong');
  });

  it('is refused when a part is missing, added or changed', () => {
    const token = make({ alg: 'HS256' }, { sub: 'a' }, hs('sha256', 's3cret'));
    const [header = '', claims = '', signature = ''] = token.split('.');
    const changed = [
      `${header}.${claims}`,
      `${header}.${claims}.`,
      `${token}.x`,
      `${header}.${part({ sub: 'b' })}.${signature}`,
      `${header}.${claims}.${signature.slice(2)}`,
      `${header}.${claims}=.${signature}`,
      'x',
      '..',
    ];
    for (const text of changed) expect(check(text)).toBe('wrong');
  });

  it.each([
    ['no times', {}, 'granted'],
    ['an end to come', { exp: NOW_S + 1 }, 'granted'],
    ['an end 59 s ago', { exp: NOW_S - 59 }, 'granted'],
    ['an end 60 s ago', { exp: NOW_S - 60 }, 'wrong'],
    ['a begin in 60 s', { nbf: NOW_S + 60 }, 'granted'],
    ['a begin in 61 s', { nbf: NOW_S + 61 }, 'wrong'],
    ['an end that is a string', { exp: String(NOW_S + 100) }, 'wrong'],
    ['an end that is null', { exp: null }, 'wrong'],
    ['a begin that is a string', { nbf: '0' }, 'wrong'],
    ['a list for claims', [1], 'wrong'],
    ['a string for claims', 'claims', 'wrong'],
  ])('with %s', (_, claims, outcome) => {
    expect(check(make({ alg: 'HS256' }, claims, hs('sha256', 's3cret')))).toBe(outcome);
  });

  it('is missing if there is no bearer token', () => {
    for (const value of ['', 'Bearer', 'Bearer ', 'Basic abc', 'Token abc'])
      expect(checkJwt(SHARED, new Map([['authorization', value]]), NOW).kind).toBe('missing');
    expect(checkJwt(SHARED, new Map(), NOW).kind).toBe('missing');
  });

  it('is refused when it is too long', () => {
    expect(check(make({ alg: 'HS256' }, { sub: 'a'.repeat(20_000) }, hs('sha256', 's3cret')))).toBe('wrong');
  });
});

describe('a token under a key pair', () => {
  const ec = {
    ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    ES384: generateKeyPairSync('ec', { namedCurve: 'P-384' }),
    ES512: generateKeyPairSync('ec', { namedCurve: 'P-521' }),
  };
  const dataOf = (algorithm: string, key: KeyObject) => ({ keyType: 'pemKey', publicKey: pem(key), algorithm });
  const rsaSigner = (hash: string) => (signed: string) =>
    sign(hash, Buffer.from(signed), rsa.privateKey).toString('base64url');
  const pssSigner = (hash: string) => (signed: string) =>
    sign(hash, Buffer.from(signed), {
      key: rsa.privateKey,
      padding: constants.RSA_PKCS1_PSS_PADDING,
      saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
    }).toString('base64url');
  const ecSigner = (hash: string, key: KeyObject) => (signed: string) =>
    sign(hash, Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url');
  const cases = [
    ['RS256', rsaSigner('sha256'), rsa.publicKey],
    ['RS384', rsaSigner('sha384'), rsa.publicKey],
    ['RS512', rsaSigner('sha512'), rsa.publicKey],
    ['PS256', pssSigner('sha256'), rsa.publicKey],
    ['PS384', pssSigner('sha384'), rsa.publicKey],
    ['PS512', pssSigner('sha512'), rsa.publicKey],
    ['ES256', ecSigner('sha256', ec.ES256.privateKey), ec.ES256.publicKey],
    ['ES384', ecSigner('sha384', ec.ES384.privateKey), ec.ES384.publicKey],
    ['ES512', ecSigner('sha512', ec.ES512.privateKey), ec.ES512.publicKey],
  ] as const;

  it.each(cases)('is accepted with %s, and refused once its claims are changed', (alg, signer, key) => {
    const token = make({ alg }, { sub: 'a' }, signer);
    expect(check(token, dataOf(alg, key))).toBe('granted');
    const [header = '', , signature = ''] = token.split('.');
    expect(check(`${header}.${part({ sub: 'b' })}.${signature}`, dataOf(alg, key))).toBe('wrong');
  });

  it.each(cases)('is accepted with %s for that algorithm only', (alg, signer) => {
    for (const [other, , otherKey] of cases) {
      if (other !== alg) expect(check(make({ alg }, {}, signer), dataOf(other, otherKey))).toBe('wrong');
    }
  });

  it('is refused when it is signed with the public key as a shared secret', () => {
    for (const algorithm of ['RS256', 'HS256']) {
      expect(
        check(make({ alg: 'HS256' }, {}, hs('sha256', pem(rsa.publicKey))), dataOf(algorithm, rsa.publicKey)),
      ).toBe('wrong');
    }
  });

  it('is refused under a key that is invalid for the algorithm', () => {
    const weak = generateKeyPairSync('rsa', { modulusLength: 1_024 });
    const weakToken = make({ alg: 'RS256' }, {}, (signed) =>
      sign('sha256', Buffer.from(signed), weak.privateKey).toString('base64url'),
    );
    expect(check(weakToken, dataOf('RS256', weak.publicKey))).toBe('wrong');
    const otherCurve = make({ alg: 'ES256' }, {}, ecSigner('sha256', ec.ES384.privateKey));
    expect(check(otherCurve, dataOf('ES256', ec.ES384.publicKey))).toBe('wrong');
    expect(check('a.b.c', { keyType: 'pemKey', publicKey: 'no key', algorithm: 'RS256' })).toBe('wrong');
  });

  it('is verified with the public half of a private key', () => {
    expect(
      check(make({ alg: 'RS256' }, {}, rsaSigner('sha256')), {
        keyType: 'pemKey',
        privateKey: pem(rsa.privateKey),
        algorithm: 'RS256',
      }),
    ).toBe('granted');
  });
});
