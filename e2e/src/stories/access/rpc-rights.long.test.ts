import { Client, credentials, Metadata, status } from '@grpc/grpc-js';
import { borrowStack, giveStackBack, SERVICES, type Stack } from '@weft/local-stack';
import { createTokenSigner, type Role } from '@weft/service-kit/auth';
import { admits, isReading, rpcMethods, type Method } from '../../support/access-tables';
import { makeOwnedThings } from '../../support/canaries/owned-things';
import { restClient, textOf } from '../../support/rest';
import { makeUser } from '../../support/users';

const ROLES: readonly Role[] = ['owner', 'admin', 'editor', 'viewer'];

/** How far a call got: refused as anonymous, refused because of its caller, or let in, whatever comes then. */
type Outcome = 'anonymous' | 'refused' | 'let in';

/** Messages of the access check, which precedes the method. Use cases have other messages. */
const REFUSAL = /^(?:Only services may call this|The role \w+ may not do this|The \w+ service may not call this)/;
const BAD_TOKEN = /service token/;

const LIMIT_MS = 20_000;

/** Outcome of a call. */
interface Answer {
  readonly code: number;
  readonly details: string;
  /** All messages of the answer. */
  readonly bytes: Buffer;
}

/** Calls with one message; an empty one if none is given. */
const send = (client: Client, path: string, metadata: Metadata, message: Buffer = Buffer.alloc(0)): Promise<Answer> =>
  new Promise((resolve) => {
    const messages: Buffer[] = [];
    const stream = client.makeServerStreamRequest(
      path,
      (bytes: Buffer) => bytes,
      (bytes: Buffer) => bytes,
      message,
      metadata,
      { deadline: Date.now() + LIMIT_MS },
    );
    stream.on('data', (bytes: Buffer) => messages.push(bytes));
    stream.on('error', () => undefined);
    stream.on('status', ({ code, details }) => resolve({ code, details, bytes: Buffer.concat(messages) }));
  });

const call = async (client: Client, path: string, metadata: Metadata): Promise<Outcome> => {
  const { code, details } = await send(client, path, metadata);
  if (code === status.PERMISSION_DENIED && REFUSAL.test(details)) return 'refused';
  return code === status.UNAUTHENTICATED && (BAD_TOKEN.test(details) || details.includes('API key'))
    ? 'anonymous'
    : 'let in';
};

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

  const withHeader = (name: string, value: string): Metadata => {
    const metadata = new Metadata();
    metadata.set(name, value);
    return metadata;
  };

  const outcomes = async ({ host, path }: Method): Promise<Readonly<Record<string, Outcome>>> => {
    const client = clients.get(host);
    if (client === undefined) throw new Error(`Nothing is known of ${host}.`);
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

  it.each(METHODS.map((method) => [method.path, method.host, method] as const))(
    '%s of %s admits the callers in its access table, and no others',
    async (_path, _host, method) => {
      const { services = [] } = method.rule;
      const may = (role: Role): boolean => admits(role, method.rule);
      // A runner knows no users at all.
      const strangers = method.host === 'runner' ? 'anonymous' : 'refused';
      expect(await outcomes(method)).toEqual({
        anonymous: 'anonymous',
        'a wrong key': 'anonymous',
        ...Object.fromEntries(ROLES.map((role) => [role, may(role) ? 'let in' : strangers])),
        ...Object.fromEntries(
          SERVICES.map((service) => [`the ${service} service`, services.includes(service) ? 'let in' : 'refused']),
        ),
      });
    },
  );

  describe('by users, about what a closed project owns,', () => {
    const NAME = 'rpc-closed';
    /** Fields of messages that name a thing. */
    const fields: Record<string, string> = {};
    /**
     * Methods that show a viewer none of the data made here: there are no files and no notifications,
     * conversations are for those who change workflows, and audits and counts for admins.
     */
    const SHOWS_NOTHING = new Set([
      'listNodeTypes',
      'getNodeType',
      'listApps',
      'getApp',
      'getNodeRun',
      'previewSchedule',
      'getListening',
      'listFiles',
      'listConversations',
      'getConversation',
      'listNotifications',
      'listAudit',
      'getExecutionCounts',
    ]);
    /** Jobs of owners are for those who see all closed projects, and other stories may have left some on this stack. */
    const JOBS = new Set(['getRetryJob', 'listRetryJobs']);
    let member = '';
    const OWNED = METHODS.filter(
      ({ host, rule }) => rule.users !== undefined && /^(?:workflows|executions)$/.test(host),
    );

    beforeAll(async () => {
      const owner = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
      const projectId = textOf(await owner('POST', '/projects', { name: 'rpc', closed: true }), 'id');
      const things = await makeOwnedThings(stack, owner, { name: NAME, projectId });
      Object.assign(fields, {
        workflowId: things.workflows,
        versionId: things.version,
        executionId: things.executions,
        fileId: things.ref,
        variableId: things.variables,
        dataTableId: things['data-tables'],
        deliveryId: things.deliveries,
        backfillId: things.backfills,
        jobId: things['retry-jobs'],
        subscriptionId: things['event-subscriptions'],
      });
      member = await makeUser(stack, 'rpc-member', 'editor');
      const joins = { email: 'rpc-member@users.invalid', role: 'viewer' };
      expect((await owner('POST', `/projects/${projectId}/members`, joins)).status).toBe(201);
    });

    /** Calls a method with every id that its caller can name. */
    const ask = async ({ host, path, codec }: Method, key: string) => {
      const empty: unknown = codec.requestDeserialize(Buffer.alloc(0));
      const known = Object.entries(fields).filter(([field]) => Object.keys({ ...Object(empty) }).includes(field));
      const area = { $case: 'workflowId', value: fields['workflowId'] };
      const isArea = path.endsWith('/ListFiles');
      const ofMany = 'workflowIds' in Object(empty) ? { workflowIds: [fields['workflowId']] } : {};
      const message = { ...Object(empty), ...Object.fromEntries(known), ...ofMany, ...(isArea ? { area } : {}) };
      const client = clients.get(host);
      if (client === undefined) throw new Error(`Nothing is known of ${host}.`);
      const bytes = codec.requestSerialize(message);
      return {
        names: isArea || known.length > 0,
        ...(await send(client, path, withHeader('x-svc-api-key', key), bytes)),
      };
    };
    const shownIn = ({ bytes }: Answer): string[] =>
      [NAME, ...Object.values(fields)].filter((text) => bytes.includes(text));

    it.each(OWNED.map((method) => [method.path, method] as const))(
      '%s shows none of it to an editor and a viewer who are not members',
      async (_path, method) => {
        for (const role of ['editor', 'viewer'] as const) {
          const answer = await ask(method, keys.get(role) ?? '');
          expect(shownIn(answer)).toEqual([]);
          // Lists leave it out; those of one workflow are refused with it.
          if (answer.code === status.OK && answer.names) expect(method.name).toMatch(/^list(?!Files|Backfills)/);
        }
      },
    );

    it('is shown to a viewer of it by all methods that read', async () => {
      const shown = new Map<string, boolean>();
      for (const method of OWNED) shown.set(method.name, shownIn(await ask(method, member)).length > 0);
      const reading = OWNED.filter((method) => isReading(method) && !JOBS.has(method.name)).map(({ name }) => name);
      expect(reading.filter((name) => shown.get(name) === true).sort()).toEqual(
        reading.filter((name) => !SHOWS_NOTHING.has(name)).sort(),
      );
    });
  });
});
