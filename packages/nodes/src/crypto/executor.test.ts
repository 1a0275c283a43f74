import { createVerify, generateKeyPairSync, verify } from 'node:crypto';
import { field, type JsonObject } from '@weft/node-catalogue';
import { outputOf, runKind } from '../testing/cases/run-kind';

const given = async (parameters: JsonObject, version = 1) =>
  (await outputOf('crypto', { version, parameters, items: [{ t: 'abc' }] }))[0];

describe('crypto', () => {
  it.each<[JsonObject, string]>([
    [{ value: '={{ $json.t }}' }, '900150983cd24fb0d6963f7d28e17f72'],
    [{ value: 'abc', type: 'SHA1' }, 'a9993e364706816aba3e25717850c26c9cd0d89d'],
    [{ value: 'abc', type: 'SHA256', encoding: 'base64' }, 'ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0='],
    [{ value: 'abc', type: 'SHA3-256' }, '3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532'],
    [
      { action: 'hmac', type: 'SHA256', value: 'what do ya want for nothing?', secret: 'Jefe' },
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    ],
  ])('hashes as configured by %j', async (parameters, digest) => {
    for (const version of parameters['action'] === 'hmac' || !('type' in parameters) ? [1] : [1, 2])
      expect(await given({ dataPropertyName: 'out.digest', ...parameters }, version)).toEqual({
        t: 'abc',
        out: { digest },
      });
  });

  it('signs verifiably with the public key', async () => {
    const pair = generateKeyPairSync('rsa', {
      modulusLength: 2_048,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    const result = await given({
      action: 'sign',
      algorithm: 'RSA-SHA256',
      value: 'abc',
      encoding: 'base64',
      privateKey: pair.privateKey,
    });
    const signature = Object.values(result ?? {})[1];
    expect(verify('RSA-SHA256', Buffer.from('abc'), pair.publicKey, Buffer.from(String(signature), 'base64'))).toBe(
      true,
    );
  });

  it.each([
    ['uuid', /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/],
    ['hex', /^[0-9a-f]{9}$/],
    ['base64', /^[\w+/]{9}$/],
    ['ascii', /^[A-Za-z0-9]{9}$/],
  ])('generates %s, different each time', async (encodingType, form) => {
    const texts = await Promise.all([1, 2].map(() => given({ action: 'generate', encodingType, stringLength: 9 })));
    expect(texts).toEqual([1, 2].map(() => ({ t: 'abc', data: expect.stringMatching(form) })));
    expect(texts[0]).not.toEqual(texts[1]);
  });

  it('preserves item linking, and replaces failed items by errors without the key', async () => {
    const run = (parameters: JsonObject, version = 1) =>
      runKind('crypto', { version, parameters, items: [{}, {}], node: { onError: 'continueRegularOutput' } });
    expect((await run({ value: 'abc' })).items[0]?.map((item) => item.pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
    const { outputs } = await run({ action: 'sign', algorithm: 'RSA-SHA256', privateKey: 'SECRET' });
    expect(outputs[0]?.[1]).toEqual({
      error: expect.stringMatching(/^The private key cannot be used with RSA-SHA256: (?!.*SECRET)/),
    });
    expect((await run({ action: 'sign', algorithm: 'x' })).outputs[0]?.[0]).toEqual({
      error: expect.stringContaining('is not supported'),
    });
    expect((await run({ binaryData: true })).outputs[0]?.[0]).toEqual({
      error: 'The item has no file in the field "data".',
    });
    expect((await run({ action: 'hmac', secret: 'in the workflow' }, 2)).outputs[0]?.[0]).toEqual({
      error: 'The node names no credential of type crypto',
    });
    expect((await run({ action: 'generate', encodingType: 'hex', stringLength: 1e9 })).outputs[0]?.[0]).toEqual({
      error: expect.stringContaining('from 1 to 65536'),
    });
  });

  it('signs with the key of its credential from version 2 on, even if it lost its line breaks', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    for (const signPrivateKey of [privateKey, privateKey.replaceAll('\n', '\\n')]) {
      const [signed] = await outputOf('crypto', {
        version: 2,
        items: [{}],
        parameters: { action: 'sign', algorithm: 'RSA-SHA256', value: 'text', encoding: 'base64' },
        credential: { signPrivateKey },
        node: { credentials: { crypto: { id: '1', name: 'Keys' } } },
      });
      expect(
        createVerify('RSA-SHA256')
          .update('text')
          .verify(publicKey, String(field(signed, 'data')), 'base64'),
      ).toBe(true);
    }
  });
});
