import { uuidv7 } from '@weft/service-kit/ids';
import { createHmac, generateKeyPairSync } from 'node:crypto';
import { startService, type TestService } from '../support/service-under-test';

const basic = (text: string) => [{ name: 'authorization', value: `Basic ${Buffer.from(text).toString('base64')}` }];
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const hs256 = (claims: object, secret: string) => {
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
  return [
    {
      name: 'authorization',
      value: `Bearer ${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`,
    },
  ];
};
const granted = (secretHeader: string, claimsJson = '') => ({
  granted: true,
  refusalStatus: 0,
  claimsJson,
  secretHeader,
});
const refused = (refusalStatus: 401 | 403) => ({ granted: false, refusalStatus, claimsJson: '', secretHeader: '' });

describe('VerifyWebhookAuth', () => {
  let service: TestService;
  let basicId = '';
  let headerId = '';
  let jwtId = '';
  const verify = (
    authentication: string,
    credentialId: string,
    headers: { name: string; value: string }[],
    ownerId = service.owner.userId,
  ) => service.as('gateway').credentials.verifyWebhookAuth({ authentication, credentialId, ownerId, headers });

  beforeAll(async () => {
    service = await startService();
    basicId = (await service.addCredential({ type: 'httpBasicAuth', dataJson: '{"user":"ü","password":"a:b"}' })).id;
    headerId = (
      await service.addCredential({ type: 'httpHeaderAuth', dataJson: '{"name":"X-Hook-Key","value":"let me in"}' })
    ).id;
    jwtId = (
      await service.addCredential({
        type: 'jwtAuth',
        dataJson: '{"keyType":"passphrase","secret":"jwt secret","algorithm":"HS256"}',
      })
    ).id;
  });
  afterAll(() => service.stop());

  it('accepts the right user and password, and distinguishes wrong from missing', async () => {
    expect(await verify('basicAuth', basicId, basic('ü:a:b'))).toEqual(granted('authorization'));
    expect(await verify('basicAuth', basicId, basic('ü:a'))).toEqual(refused(403));
    expect(await verify('basicAuth', basicId, basic('u:a:b'))).toEqual(refused(403));
    expect(await verify('basicAuth', basicId, [])).toEqual(refused(401));
    expect(await verify('basicAuth', basicId, [{ name: 'authorization', value: 'Bearer x' }])).toEqual(refused(401));
  });

  it('accepts the right header in any case, returns its name, and distinguishes wrong from missing', async () => {
    expect(await verify('headerAuth', headerId, [{ name: 'x-hook-key', value: 'let me in' }])).toEqual(
      granted('x-hook-key'),
    );
    expect(await verify('headerAuth', headerId, [{ name: 'x-hook-key', value: 'Let me in' }])).toEqual(refused(403));
    expect(await verify('headerAuth', headerId, [{ name: 'x-hook-key', value: '' }])).toEqual(refused(403));
    expect(await verify('headerAuth', headerId, [{ name: 'x-other', value: 'let me in' }])).toEqual(refused(401));
  });

  it('accepts the right bearer token, and distinguishes wrong from missing', async () => {
    const { id } = await service.addCredential({ type: 'httpBearerAuth', dataJson: '{"token":"t.0-k/en="}' });
    const bearer = (value: string) => verify('bearerAuth', id, [{ name: 'authorization', value }]);
    expect(await bearer('Bearer t.0-k/en=')).toEqual(granted('authorization'));
    expect(await bearer('bearer  t.0-k/en= ')).toEqual(granted('authorization'));
    expect(await bearer('Bearer t.0-k/en')).toEqual(refused(403));
    expect(await bearer('Basic t.0-k/en=')).toEqual(refused(401));
    expect(await bearer('Bearer ')).toEqual(refused(401));
    expect(await verify('bearerAuth', headerId, [{ name: 'authorization', value: 'Bearer let me in' }])).toEqual(
      refused(403),
    );
  });

  it('requests the body of a signed request, and decides by it', async () => {
    const dataJson = '{"scheme":"github","secret":"s3cret"}';
    const credentialId = (await service.addCredential({ type: 'webhookSignature', dataJson })).id;
    const body = Buffer.from('{"a": 1}');
    const value = `sha256=${createHmac('sha256', 's3cret').update(body).digest('hex')}`;
    const headers = [{ name: 'X-Hub-Signature-256', value }];
    const request = { authentication: 'signature', credentialId, ownerId: service.owner.userId, headers };
    const { verifyWebhookAuth } = service.as('gateway').credentials;
    expect(await verifyWebhookAuth({ ...request, headers: [] })).toEqual(refused(401));
    expect(await verifyWebhookAuth(request)).toMatchObject({ granted: false, needsBody: true });
    expect(await verifyWebhookAuth({ ...request, body })).toEqual(granted('x-hub-signature-256'));
    expect(await verifyWebhookAuth({ ...request, body: Buffer.alloc(0) })).toEqual(refused(403));
  });

  it('checks only the first value of a header', async () => {
    const [right, wrong] = [
      { name: 'x-hook-key', value: 'let me in' },
      { name: 'x-hook-key', value: 'no' },
    ];
    expect(await verify('headerAuth', headerId, [wrong, right])).toEqual(refused(403));
    expect(await verify('headerAuth', headerId, [right, wrong])).toEqual(granted('x-hook-key'));
  });

  it('accepts a signed, valid token, and returns its claims', async () => {
    const exp = Math.floor(Date.now() / 1_000) + 300;
    expect(await verify('jwtAuth', jwtId, hs256({ sub: 'me', exp }, 'jwt secret'))).toEqual(
      granted('authorization', JSON.stringify({ sub: 'me', exp })),
    );
    expect(await verify('jwtAuth', jwtId, hs256({ sub: 'me', exp }, 'other secret'))).toEqual(refused(403));
    expect(await verify('jwtAuth', jwtId, hs256({ exp: exp - 1_000 }, 'jwt secret'))).toEqual(refused(403));
    expect(await verify('jwtAuth', jwtId, [])).toEqual(refused(401));
  });

  it('refuses a token signed with the public key as a shared secret', async () => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const pem = publicKey.export({ format: 'pem', type: 'spki' }).toString();
    const { id } = await service.addCredential({
      type: 'jwtAuth',
      dataJson: JSON.stringify({ keyType: 'pemKey', publicKey: pem, algorithm: 'RS256' }),
    });
    expect(await verify('jwtAuth', id, hs256({ sub: 'me' }, pem))).toEqual(refused(403));
  });

  it('refuses with a credential that is deleted, of another type, or not usable by the owner', async () => {
    const right = [{ name: 'x-hook-key', value: 'let me in' }];
    const editor = await service.addUser('editor');
    const alike = await service.addCredential({
      type: 'httpQueryAuth',
      dataJson: '{"name":"X-Hook-Key","value":"let me in"}',
    });
    expect(await verify('headerAuth', alike.id, right)).toEqual(refused(403));
    expect(await verify('headerAuth', uuidv7(), right)).toEqual(refused(403));
    expect(await verify('headerAuth', 'nonsense', right)).toEqual(refused(403));
    expect(await verify('headerAuth', basicId, right)).toEqual(refused(403));
    expect(await verify('headerAuth', headerId, right, editor.userId)).toEqual(refused(403));
    expect(await verify('headerAuth', headerId, right, uuidv7())).toEqual(refused(403));
    expect(await verify('headerAuth', headerId, right, '')).toEqual(refused(403));
  });

  it('refuses an unknown authentication', async () => {
    for (const authentication of ['', 'none', 'hmac']) {
      await expect(verify(authentication, headerId, [])).rejects.toMatchObject({
        reason: 'INVALID_REQUEST',
        fields: [{ field: 'authentication' }],
      });
    }
  });

  it('answers each of many concurrent requests separately', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        verify('headerAuth', headerId, [{ name: 'x-hook-key', value: index % 2 === 0 ? 'let me in' : 'no' }]),
      ),
    );
    expect(answers.map((answer) => answer.granted)).toEqual(Array.from({ length: 100 }, (_, index) => index % 2 === 0));
  });

  it('is restricted to the gateway', async () => {
    const request = {
      authentication: 'headerAuth',
      credentialId: headerId,
      ownerId: service.owner.userId,
      headers: [],
    };
    await expect(service.as('runner').credentials.verifyWebhookAuth(request)).rejects.toMatchObject({
      reason: 'FORBIDDEN',
    });
    await expect(
      service.as('gateway').credentials.verifyWebhookAuth(request, { principal: service.owner }),
    ).rejects.toMatchObject({ reason: 'FORBIDDEN' });
  });
});
