import { createHmac, generateKeyPairSync } from 'node:crypto';
import type { JsonObject } from '@weft/node-catalogue';
import type { KindRun } from '../testing/cases/run-kind';
import { outputOf, runKind } from '../testing/cases/run-kind';

const now = 1_700_000_000_000;
const second = now / 1_000;
const credential = { keyType: 'passphrase', secret: 'weft-test', algorithm: 'HS256' };
const run = (parameters: JsonObject, over: KindRun = {}): KindRun => ({
  version: 1,
  now,
  credential,
  parameters,
  node: { credentials: { jwtAuth: { id: '1', name: 'Key' } } },
  ...over,
});
const given = async (parameters: JsonObject, over: KindRun = {}) => (await outputOf('jwt', run(parameters, over)))[0];
const part = (value: JsonObject): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const tokenOf = (header: JsonObject, payload: JsonObject): string => {
  const body = `${part(header)}.${part(payload)}`;
  return `${body}.${createHmac('sha256', credential.secret).update(body).digest('base64url')}`;
};

describe('jwt 1', () => {
  it('signs given claims under the names of their parameters', async () => {
    const claims = { audience: 'a', issuer: 'i', jwtid: 'j', subject: 's', expiresIn: 60, notBefore: 0 };
    expect(await given({ operation: 'sign', claims })).toEqual({
      token: tokenOf({ alg: 'HS256', typ: 'JWT' }, { ...claims, iat: second }),
    });
  });

  it('signs JSON, and adds the key id', async () => {
    const token = tokenOf({ alg: 'HS256', typ: 'JWT', kid: 'k1' }, { iat: 5, x: [1] });
    expect(await given({ useJson: true, claimsJson: '{"iat":5,"x":[1]}', options: { kid: 'k1' } })).toEqual({ token });
  });

  it('verifies, and decodes without verification', async () => {
    const token = tokenOf({ alg: 'HS256', typ: 'JWT' }, { x: 1 });
    expect(await given({ operation: 'verify', token })).toEqual({ payload: { x: 1 } });
    expect(await given({ operation: 'decode', token: `${token}x` })).toEqual({ payload: { x: 1 } });
    expect(await given({ operation: 'decode', token, options: { complete: true } })).toEqual({
      header: { alg: 'HS256', typ: 'JWT' },
      payload: { x: 1 },
      signature: token.split('.')[2],
    });
  });

  it('uses key pairs, and only algorithms of the key', async () => {
    const pair = generateKeyPairSync('rsa', {
      modulusLength: 2_048,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    const keys = { keyType: 'pemKey', algorithm: 'RS256', ...pair };
    const result = await given({ claims: { subject: 's' } }, { credential: keys });
    const token = String(Object.values(result ?? {})[0]);
    expect(await given({ operation: 'verify', token }, { credential: keys })).toEqual({
      payload: { iat: second, subject: 's' },
    });
    const forged = `${part({ alg: 'HS256' })}.${part({ sub: 'x' })}`;
    const mac = createHmac('sha256', pair.publicKey).update(forged).digest('base64url');
    await expect(given({ operation: 'verify', token: `${forged}.${mac}` }, { credential: keys })).rejects.toThrow(
      'invalid algorithm',
    );
    await expect(
      given({ operation: 'verify', token: 'x', options: { algorithm: 'HS256' } }, { credential: keys }),
    ).rejects.toThrow('has a key pair');
  });

  it.each<[string, JsonObject]>([
    ['invalid signature', { token: `${tokenOf({ alg: 'HS256' }, { x: 1 }).slice(0, -4)}AAAA` }],
    ['jwt expired', { token: tokenOf({ alg: 'HS256' }, { exp: second - 10 }) }],
    ['jwt not active', { token: tokenOf({ alg: 'HS256' }, { nbf: second + 10 }) }],
    ['signature is required', { token: `${part({ alg: 'none' })}.${part({ x: 1 })}.` }],
    ['jwt malformed', { token: 'abc' }],
    ['was not provided', { token: '' }],
    ['longer than', { token: 'a'.repeat(100_001) }],
  ])('reports %s', async (message, parameters) => {
    const verifies = { operation: 'verify', ...parameters };
    await expect(given(verifies)).rejects.toThrow(message);
    const { items } = await runKind(
      'jwt',
      run(verifies, { node: { onError: 'continueRegularOutput', credentials: { jwtAuth: { id: '1', name: 'Key' } } } }),
    );
    expect(items[0]).toEqual([{ json: { error: expect.stringContaining(message) }, pairedItem: { item: 0 } }]);
  });

  it('ignores times if configured', async () => {
    const token = tokenOf({ alg: 'HS256' }, { exp: second - 10 });
    expect(await given({ operation: 'verify', token, options: { ignoreExpiration: true } })).toEqual({
      payload: { exp: second - 10 },
    });
    expect(await given({ operation: 'verify', token, options: { clockTolerance: 20 } })).toEqual({
      payload: { exp: second - 10 },
    });
  });
});
