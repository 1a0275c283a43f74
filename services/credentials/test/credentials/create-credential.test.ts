import { generateKeyPairSync } from 'node:crypto';
import type { Principal } from '@weft/service-kit/auth';
import { startService, type TestService } from '../support/service-under-test';

const PRIVATE_KEY = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();

describe('CreateCredential', () => {
  let service: TestService;
  const create = (request: { name?: string; type?: string; dataJson?: string }, principal: Principal = service.owner) =>
    service
      .as('gateway')
      .credentials.createCredential(
        { name: 'GitHub', type: 'githubApi', dataJson: '{"accessToken":"ghp_planted"}', ...request },
        { principal },
      );
  const fieldsOf = (request: { name?: string; type?: string; dataJson?: string }) =>
    create(request).then(
      () => [],
      (error: { reason: string; fields: { field: string }[] }) => [
        error.reason,
        ...error.fields.map(({ field }) => field),
      ],
    );

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it('returns the credential without its data and stores the data sealed', async () => {
    const { credential } = await create({});
    expect(credential).toEqual({
      id: expect.any(String),
      etag: expect.any(String),
      name: 'GitHub',
      type: 'githubApi',
      ownerId: service.owner.userId,
      createdAt: expect.any(Date),
      updatedAt: expect.any(Date),
    });
    const stored = await service.database.connection
      .collection<{ _id: string; sealed: object }>('credentials')
      .findOne({ _id: credential?.id ?? '' });
    expect(Object.keys(stored?.sealed ?? {}).sort()).toEqual(['ciphertext', 'iv', 'kid', 'tag', 'v', 'wrappedKey']);
    expect(JSON.stringify(stored)).not.toContain('ghp_planted');
  });

  it('writes an audit record', async () => {
    const { credential } = await create({});
    const record = await service.database.connection
      .collection('audit')
      .findOne({ action: 'credential.create', 'about.credentialId': credential?.id });
    expect(record).toMatchObject({
      actor: service.owner.userId,
      about: { type: 'githubApi' },
      expireAt: expect.any(Date),
    });
  });

  it.each([
    ['httpHeaderAuth', '{}', ['data.name', 'data.value']],
    ['httpHeaderAuth', '{"name":"X-Key","value":7}', ['data.value']],
    ['httpHeaderAuth', '{"name":"a b:","value":"b\\r\\nX: y"}', ['data.name', 'data.value']],
    ['httpheaderAuth', '{"name":"X-Key","value":"v"}', ['type']],
    ['httpBasicAuth', '{"user":"u"}', ['data.password']],
    ['httpQueryAuth', '{"name":""}', ['data.name', 'data.value']],
    ['httpBearerAuth', '{"Token":"t"}', ['data.token']],
    ['httpCustomAuth', '{"json":"[1]"}', ['data.json']],
    ['jwtAuth', '{"keyType":"passphrase"}', ['data.secret']],
    ['jwtAuth', '{"keyType":"passphrase","secret":"s","algorithm":"none"}', ['data.algorithm']],
    ['jwtAuth', '{"keyType":"passphrase","secret":"s","algorithm":"RS256"}', ['data.algorithm']],
    ['jwtAuth', '{"keyType":"pemKey","publicKey":"no key","algorithm":"RS256"}', ['data.publicKey']],
    ['githubApi', '{}', ['data.accessToken']],
    ['slackApi', '{}', ['data.accessToken']],
    ['notionApi', '{}', ['data.apiKey']],
    ['airtableTokenApi', '{}', ['data.accessToken']],
    ['openAiApi', '{}', ['data.apiKey']],
    ['telegramApi', '{}', ['data.accessToken']],
    ['smtp', '{"port":0}', ['data.host', 'data.port']],
    ['oAuth1Api', '{"consumerKey":"k"}', ['data.consumerSecret']],
    ['oAuth2Api', '{"grantType":"clientCredentials","clientId":"c"}', ['data.accessTokenUrl', 'data.clientSecret']],
    ['mcpOAuth2Api', '{"grantType":"clientCredentials","clientId":"c"}', ['data.accessTokenUrl', 'data.clientSecret']],
    ['httpMultipleHeadersAuth', '{}', ['data.headers']],
    ['crypto', '{"hmacSecret":""}', ['data.hmacSecret']],
    ['telegramApi', '{"accessToken":"t","baseUrl":"https://bots.example"}', ['data.baseUrl']],
    ['crypto', '{"signPrivateKey":"no key"}', ['data.signPrivateKey']],
    ['anthropicApi', '{}', ['data.apiKey']],
    ['postgres', '{"host":"h","port":"5432","ssl":"yes"}', ['data.port', 'data.ssl']],
    ['webhookSignature', '{"scheme":"gitlab","secret":"s"}', ['data.scheme']],
    ['webhookSignature', '{"scheme":"standard","secret":"whsec_c2hvcnQ="}', ['data.secret']],
    [
      'webhookSignature',
      `{"scheme":"standard","secret":"whsec_${'A'.repeat(32)}","previousSecret":"old"}`,
      ['data.previousSecret'],
    ],
    ['webhookSignature', '{"scheme":"github","secret":"s","previousSecret":"old"}', ['data.previousSecret']],
    ['githubApi', '{"accessToken":"t","allowedHttpRequestDomains":"some"}', ['data.allowedHttpRequestDomains']],
    ['stripeApi', '{"apiKey":"wrong name"}', ['data.secretKey']],
    ['jiraSoftwareCloudApi', '{"email":"a@example.com"}', ['data.apiToken']],
  ])('refuses %s with data %s and names the fields', async (type, dataJson, fields) => {
    expect(await fieldsOf({ type, dataJson })).toEqual(['INVALID_REQUEST', ...fields]);
  });

  it.each([
    ['jwtAuth', { keyType: 'passphrase', secret: 's', algorithm: 'HS256' }],
    ['crypto', { hmacSecret: 's' }],
    ['telegramApi', { accessToken: 't', baseUrl: 'https://api.telegram.org' }],
    ['crypto', { signPrivateKey: PRIVATE_KEY }],
    ['crypto', { hmacSecret: 's', signPrivateKey: PRIVATE_KEY.replaceAll('\n', '\\n') }],
    ['oAuth2Api', { grantType: 'authorizationCode', clientId: 'c' }],
    ['oAuth2Api', { oauthTokenData: { access_token: 't' } }],
    ['smtp', { host: 'mail.example.com', port: 587, secure: false, user: '', password: '' }],
  ])('accepts %s with valid data', async (type, data) => {
    expect(await fieldsOf({ type, dataJson: JSON.stringify(data) })).toEqual([]);
  });

  it.each([
    ['an empty name', { name: ' ' }, 'name'],
    ['a name of 129 characters', { name: 'n'.repeat(129) }, 'name'],
    ['a type with a dash', { type: 'github-api' }, 'type'],
    ['a type of 65 characters', { type: 't'.repeat(65) }, 'type'],
    ['data that is not JSON', { dataJson: 'ghp_planted' }, 'data'],
    ['data that is not an object', { dataJson: '["ghp_planted"]' }, 'data'],
    ['data of more than 64 KiB', { type: 'other', dataJson: JSON.stringify({ a: 'x'.repeat(65_536) }) }, 'data'],
    ['data nested 101 levels', { type: 'other', dataJson: `{"a":${'['.repeat(100)}${']'.repeat(100)}}` }, 'data'],
    ['data with the key __proto__', { type: 'other', dataJson: '{"__proto__":{}}' }, 'data'],
  ])('refuses %s', async (_, request, field) => {
    expect(await fieldsOf(request)).toEqual(['INVALID_REQUEST', field]);
  });

  it('does not quote data that is not JSON', async () => {
    const error: unknown = await create({ dataJson: 'hunter2' }).catch((error: unknown) => error);
    expect(error).toMatchObject({ reason: 'INVALID_REQUEST' });
    expect(JSON.stringify(error)).not.toContain('hunter2');
  });

  it('refuses an unknown type and suggests the nearest, unless a setting allows it', async () => {
    const strict = await service.startReplica({ EXTRA_CREDENTIAL_TYPES: 'myOwnApi, otherApi' });
    const createAt = (type: string) =>
      strict
        .as('gateway')
        .credentials.createCredential({ name: 'n', type, dataJson: '{}' }, { principal: service.owner });
    await expect(createAt('myOwnApi')).resolves.toBeDefined();
    await expect(createAt('githubAPI')).rejects.toMatchObject({
      fields: [{ field: 'type', message: expect.stringMatching(/^is not a known type. Did you mean githubApi\b/) }],
    });
    await expect(createAt('slackOAuth2')).rejects.toMatchObject({
      reason: 'INVALID_REQUEST',
      fields: [{ field: 'type' }],
    });
    await expect(createAt('snowflake')).rejects.toMatchObject({
      fields: [{ message: expect.stringContaining('GET /api/v1/credential-types') }],
    });
  });

  it('accepts any JSON object for a type that a setting allows', async () => {
    await expect(create({ type: 'myOwnApi', dataJson: '{"deep":{"list":[1,null,"ü"]}}' })).resolves.toBeDefined();
  });

  it.each(['editor', 'viewer'] as const)('refuses the role %s', async (role) => {
    await expect(create({}, { ...service.owner, role })).rejects.toMatchObject({
      reason: 'FORBIDDEN',
      kind: 'forbidden',
    });
  });

  it('refuses a service without a user', async () => {
    const request = { name: 'n', type: 'other', dataJson: '{}' };
    await expect(service.as('gateway').credentials.createCredential(request)).rejects.toMatchObject({
      reason: 'FORBIDDEN',
    });
    await expect(
      service.as('runner').credentials.createCredential(request, { principal: service.owner }),
    ).rejects.toMatchObject({ reason: 'FORBIDDEN' });
  });
});
