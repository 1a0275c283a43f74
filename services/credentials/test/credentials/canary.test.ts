import { Role } from '@weft/proto/identity';
import { randomBytes } from 'node:crypto';
import { grantRun } from '../support/run-with-claim';
import { newMasterKey, OWNER, startService, type TestService } from '../support/service-under-test';

/** Encodings in which a secret could leak. */
const spellings = (secret: string): string[] => [
  secret,
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  Buffer.from(secret).toString('hex'),
  encodeURIComponent(secret),
];

describe('planted secrets', () => {
  let service: TestService;
  const planted = (name: string): string => `canary-${name}-${randomBytes(9).toString('hex')}`;
  const secrets: string[] = [];
  const answers: unknown[] = [];
  /** Collects a response, or all parts of an error. */
  const collect = async (call: Promise<unknown>): Promise<void> => {
    try {
      answers.push(await call);
    } catch (error) {
      answers.push(error, error instanceof Error ? [error.message, error.stack, error.cause] : []);
    }
  };
  const plant = (name: string): string => {
    const secret = planted(name);
    secrets.push(secret);
    return secret;
  };

  beforeAll(async () => {
    const masterKey = newMasterKey('k1');
    secrets.push(masterKey.slice(3));
    service = await startService({ MASTER_KEY: masterKey, BASIC_AUTH: 'on' });
    secrets.push(service.ownerApiKey, OWNER.password);
  });
  afterAll(() => service.stop());

  it('appear in no response, error, log line or document', async () => {
    const { credentials, apiKeys, users, sessions } = service.as('gateway');
    const principal = service.owner;
    const { id } = await service.addCredential({ dataJson: JSON.stringify({ token: plant('token') }) });
    await collect(
      credentials.createCredential(
        { name: 'n', type: 'httpBasicAuth', dataJson: JSON.stringify({ user: plant('user') }) },
        { principal },
      ),
    );
    await collect(
      credentials.createCredential(
        { name: 'n', type: 'other', dataJson: `{"broken": "${plant('broken')}` },
        { principal },
      ),
    );
    await collect(
      credentials.createCredential(
        {
          name: 'n',
          type: 'jwtAuth',
          dataJson: JSON.stringify({ keyType: 'pemKey', algorithm: 'RS256', publicKey: plant('pem') }),
        },
        { principal },
      ),
    );
    await collect(
      credentials.updateCredential(
        { credentialId: id, dataJson: JSON.stringify({ token: 5, other: plant('update') }) },
        { principal },
      ),
    );
    await collect(
      credentials.updateCredential(
        { credentialId: id, dataJson: JSON.stringify({ token: plant('updated') }) },
        { principal },
      ),
    );
    await collect(credentials.getCredential({ credentialId: id }, { principal }));
    await collect(credentials.listCredentials({ limit: 0, cursor: '' }, { principal }));
    await collect(service.as('runner').credentials.useCredential({ ...grantRun(service, id), type: 'httpBasicAuth' }));
    await collect(
      credentials.verifyWebhookAuth({
        authentication: 'headerAuth',
        credentialId: id,
        ownerId: principal.userId,
        headers: [{ name: 'authorization', value: plant('header') }],
      }),
    );
    await collect(
      users.createUser(
        { email: 'x@example.test', password: plant('pw').slice(0, 11), role: Role.ROLE_EDITOR },
        { principal },
      ),
    );
    await collect(
      users.createUser(
        { email: 'canary@example.test', password: plant('password'), role: Role.ROLE_EDITOR },
        { principal },
      ),
    );
    await collect(
      sessions.signIn({ email: plant('typed-as-email'), password: plant('typed'), clientAddress: '192.0.2.1' }),
    );
    await collect(sessions.verifySession({ sessionToken: plant('session') }));
    await collect(apiKeys.verifyApiKey({ proof: { $case: 'apiKey', value: plant('key') }, count: 1 }));
    await collect(
      apiKeys.verifyApiKey({
        proof: {
          $case: 'basic',
          value: { clientAddress: '192.0.2.1', username: OWNER.email, password: plant('basic') },
        },
        count: 1,
      }),
    );
    const { sessionToken } = await sessions.signIn({ ...OWNER, clientAddress: '192.0.2.1' });
    const { value } = await apiKeys.createApiKey({ name: 'n', scopes: [] }, { principal });
    await collect(apiKeys.listApiKeys({}, { principal }));
    secrets.push(sessionToken, value);

    const collections = [
      'credentials',
      'users',
      'apiKeys',
      'sessions',
      'rateWindows',
      'signInWindows',
      'usedLoginAttempts',
      'audit',
    ];
    const documents = await Promise.all(
      collections.map((name) => service.database.connection.collection(name).find({}).toArray()),
    );
    const places = {
      answers: JSON.stringify(answers),
      logs: service.logs.join('\n'),
      documents: JSON.stringify(documents),
    };
    expect(answers).toHaveLength(answers.filter((answer) => answer !== undefined).length);
    expect(secrets.length).toBeGreaterThanOrEqual(17);
    for (const secret of secrets) {
      for (const spelling of spellings(secret))
        for (const [place, text] of Object.entries(places))
          expect({ place, secret, found: text.includes(spelling) }).toEqual({ place, secret, found: false });
    }
  });

  it('stay out of the log when a call fails internally', async () => {
    const { id } = await service.addCredential({ dataJson: JSON.stringify({ token: plant('internal') }) });
    const collection = service.database.connection.collection<{ _id: string }>('credentials');
    await collection.updateOne({ _id: id }, { $set: { 'sealed.tag': 'AAAA' } });
    await expect(
      service.as('runner').credentials.useCredential({ ...grantRun(service, id), type: 'httpBearerAuth' }),
    ).rejects.toMatchObject({ reason: 'CREDENTIAL_UNREADABLE' });
    const line = service.logs.find((entry) => entry.includes('CREDENTIAL_UNREADABLE'));
    expect(line).toContain('UseCredential');
    for (const secret of secrets) expect(service.logs.join('\n')).not.toContain(secret);
  });
});
