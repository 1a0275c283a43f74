import { Client, credentials, Metadata, status } from '@grpc/grpc-js';
import { borrowStack, giveStackBack, SERVICES, type Stack } from '@weft/local-stack';
import { createTokenSigner, ROLE_PERMISSIONS, type Role } from '@weft/service-kit/auth';
import { rpcMethods, type Method } from '../support/access-tables';
import { makeUser } from '../support/users';

const ROLES: readonly Role[] = ['owner', 'admin', 'editor', 'viewer'];

/** How far a call got: refused as nobody's, refused for who its caller is, or let in, whatever comes then. */
type Outcome = 'nobody' | 'refused' | 'let in';

/** What the access check says, before a method is called. Use cases have other words. */
const REFUSAL = /^(?:Only services may call this|The role \w+ may not do this|The \w+ service may not call this)/;
const BAD_TOKEN = /service token/;

const LIMIT_MS = 20_000;

/** Calls with an empty message. */
const call = (client: Client, path: string, metadata: Metadata): Promise<Outcome> =>
  new Promise((resolve) => {
    const stream = client.makeServerStreamRequest(
      path,
      (bytes: Buffer) => bytes,
      (bytes: Buffer) => bytes,
      Buffer.alloc(0),
      metadata,
      { deadline: Date.now() + LIMIT_MS },
    );
    stream.on('data', () => undefined);
    stream.on('error', () => undefined);
    stream.on('status', ({ code, details }) => {
      if (code === status.PERMISSION_DENIED && REFUSAL.test(details)) resolve('refused');
      else if (code === status.UNAUTHENTICATED && (BAD_TOKEN.test(details) || details.includes('API key')))
        resolve('nobody');
      else resolve('let in');
    });
  });

const METHODS = rpcMethods();

describe('the callers of an RPC', () => {
  let stack: Stack;
  const clients = new Map<Method['host'], Client>();
  const keys = new Map<Role, string>();

  beforeAll(async () => {
    stack = await borrowStack();
    for (const host of new Set(METHODS.map((method) => method.host)))
      clients.set(host, new Client(stack.grpcTargets[host], credentials.createInsecure()));
    keys.set('owner', stack.apiKey);
    for (const role of ['admin', 'editor', 'viewer'] as const)
      keys.set(role, await makeUser(stack, `rpc-${role}`, role));
  });
  afterAll(async () => {
    for (const client of clients.values()) client.close();
    await giveStackBack(stack);
  });

  const outcomes = async ({ host, path }: Method): Promise<Readonly<Record<string, Outcome>>> => {
    const client = clients.get(host);
    if (client === undefined) throw new Error(`Nothing is known of ${host}.`);
    const withHeader = (name: string, value: string): Metadata => {
      const metadata = new Metadata();
      metadata.set(name, value);
      return metadata;
    };
    const callers: readonly (readonly [string, Metadata])[] = [
      ['anonymous', new Metadata()],
      ['a wrong key', withHeader('x-svc-api-key', `${stack.apiKey}0`)],
      ...ROLES.map((role) => [role, withHeader('x-svc-api-key', keys.get(role) ?? '')] as const),
      ...SERVICES.map((service) => {
        const sign = createTokenSigner(service, stack.serviceKeyOf(service));
        return [`the ${service} service`, withHeader('x-weft-service-token', sign(host, path))] as const;
      }),
    ];
    return Object.fromEntries(
      await Promise.all(callers.map(async ([name, metadata]) => [name, await call(client, path, metadata)] as const)),
    );
  };

  it('are listed for every service of the contract', () => {
    expect(METHODS.length).toBeGreaterThan(80);
  });

  it.each(METHODS.map((method) => [method.path, method.host, method] as const))(
    '%s of %s are those of its access table, and nobody else',
    async (_path, _host, method) => {
      const { users, services = [] } = method.rule;
      const may = (role: Role): boolean => ROLE_PERMISSIONS[role].some((permission) => permission === users);
      // A runner knows no users at all.
      const strangers = method.host === 'runner' ? 'nobody' : 'refused';
      expect(await outcomes(method)).toEqual({
        anonymous: 'nobody',
        'a wrong key': 'nobody',
        ...Object.fromEntries(ROLES.map((role) => [role, may(role) ? 'let in' : strangers])),
        ...Object.fromEntries(
          SERVICES.map((service) => [`the ${service} service`, services.includes(service) ? 'let in' : 'refused']),
        ),
      });
    },
  );
});
