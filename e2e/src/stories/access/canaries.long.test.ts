import { freePort, freePorts, SERVICES, startStack, type Stack } from '@weft/local-stack';
import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { smallApp } from '../../support/apps';
import { createCanaries, type Found } from '../../support/canaries/canaries';
import { canaryData, type Servers, type TypeText } from '../../support/canaries/canary-credentials';
import {
  startEchoServer,
  startLineServer,
  type EchoServer,
  type LineServer,
} from '../../support/stand-ins/echo-server';
import { READ_LISTS, readEverything } from '../../support/canaries/read-everything';
import { readEverythingOverGrpc, readingMethods } from '../../support/canaries/read-everything-grpc';
import { callWebhook, dataOf, restClient, textOf, type Rest, type RestAnswer } from '../../support/rest';
import { restRoutes } from '../../support/rest-routes';
import { startTraceReceiver, type TraceReceiver } from '../../support/stand-ins/trace-receiver';
import { until } from '../../support/until';
import { makeUser } from '../../support/users';
import { readWholeStore } from '../../support/canaries/whole-store';
import { connect, node, type NodeFile, type WorkflowFile } from '../../support/workflows';

/** A harmless word in visible places: a search that finds no secret must at least find this word. */
const VISIBLE = 'visible-word-of-the-test';
const ROUTES = ['echo', 'refuse', 'file', 'redirect', 'cut'] as const;
/** Types that only the nodes for MCP servers use. */
const OF_MCP = new Set(['httpMultipleHeadersAuth', 'mcpOAuth2Api']);
const GENERIC = new Set(['header', 'query', 'basic', 'digest', 'custom', 'oauth1', 'oauth2']);

const chain = (name: string, nodes: readonly NodeFile[], more: object = {}): WorkflowFile => ({
  name,
  nodes,
  connections: connect(
    Object.fromEntries(nodes.slice(0, -1).map((each, index) => [each.name, [[nodes[index + 1]?.name ?? '']]])),
  ),
  settings: { executionOrder: 'v1' },
  ...more,
});
const start = node('Start', 'manualTrigger', 1, 0);

describe('planted secrets', () => {
  const canaries = createCanaries();
  const answers: string[] = [];
  const typed = { wrong: canaries.plant('wrong password'), right: canaries.plant('password') };
  let stack: Stack;
  let rest: Rest;
  let echo: EchoServer;
  let lines: LineServer[];
  let receiver: TraceReceiver;
  let metricsPorts: number[];
  let types: readonly TypeText[];
  const credentialIds = new Map<string, string>();
  const answeredMethods = new Set<string>();
  const data = new Map<string, Readonly<Record<string, unknown>>>();

  const base = (): string => stack.baseUrls[0] ?? '';
  /** Stores an answer for the search. */
  const kept = async (answer: Promise<RestAnswer>): Promise<RestAnswer> => {
    const got = await answer;
    answers.push(`${got.text}\n${JSON.stringify([...got.headers])}`);
    return got;
  };
  const page = async (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
    fetch(`${base()}/console/api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-weft-console': '1', ...headers },
      body: JSON.stringify(body),
    });
  const store = async (workflow: WorkflowFile): Promise<string> =>
    textOf(await kept(rest('POST', '/workflows', workflow)), 'id');
  const ended = (executionId: string): Promise<RestAnswer> =>
    until(
      'the end of a run',
      async () => {
        const answer = await rest('GET', `/executions/${executionId}`);
        return ['success', 'error'].includes(String(dataOf(answer)['status'])) && answer;
      },
      60_000,
    );
  const run = async (workflow: WorkflowFile): Promise<string> => {
    const id = await store(workflow);
    const started = await kept(rest('POST', `/workflows/${id}/execute`, { data: { text: VISIBLE } }));
    const executionId = textOf(started, 'executionId');
    return String(dataOf(await kept(ended(executionId)))['status']);
  };
  const using = (type: string): { credentials: Readonly<Record<string, { id: string; name: string }>> } => ({
    credentials: { [type]: { id: credentialIds.get(type) ?? '', name: type } },
  });
  const requestOf = ({ name: type, request }: TypeText, route: string, goesOn = true): NodeFile =>
    node(
      `${type} ${route}`,
      'httpRequest',
      4.2,
      200,
      {
        method: 'POST',
        url: `${echo.url}/${route}/${type}`,
        ...(request === undefined
          ? { authentication: 'genericCredentialType', genericAuthType: type }
          : { authentication: 'predefinedCredentialType', nodeCredentialType: type }),
        sendBody: true,
        specifyBody: 'json',
        jsonBody: `{"text":"${VISIBLE}"}`,
        options: { response: { response: { fullResponse: true, responseFormat: route === 'file' ? 'file' : 'json' } } },
      },
      { ...using(type), ...(goesOn ? { onError: 'continueRegularOutput' } : {}) },
    );
  const requested = (): readonly TypeText[] =>
    types.filter(({ name, request, applied }) => request !== undefined || (GENERIC.has(applied) && !OF_MCP.has(name)));

  beforeAll(async () => {
    echo = await startEchoServer({
      access_token: canaries.plant('token of OAuth 2'),
      token: canaries.plant('token of a sign-in'),
      token_type: 'bearer',
      expires_in: 3_600,
    });
    receiver = await startTraceReceiver();
    const mail = (text: string): string =>
      /^(EHLO|HELO)/i.test(text) ? '250-here\r\n250 AUTH PLAIN LOGIN\r\n' : `535 5.7.8 not ${text.trim()}\r\n`;
    const [smtp, ftp, redis] = await Promise.all([
      startLineServer('220 here\r\n', mail),
      startLineServer('220 here\r\n', (text) => (/^USER/.test(text) ? '331 who\r\n' : `530 not ${text.trim()}\r\n`)),
      startLineServer('', (text) => `-ERR not ${text.replaceAll(/[\r\n]+/g, ' ')}\r\n`),
    ]);
    lines = [smtp, ftp, redis];
    metricsPorts = await freePorts(SERVICES.length);
    const env = SERVICES.map((service, index) => [
      service,
      {
        LOG_LEVEL: 'debug',
        METRICS_PORT: String(metricsPorts[index]),
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
        OTEL_BSP_SCHEDULE_DELAY: '200',
        TRACES_PERCENT: '100',
        BASIC_AUTH: 'on',
        ...(service === 'credentials' ? { RATE_LIMIT_PER_MINUTE: '0' } : {}),
        ...(service === 'executions' ? { SWEEP_MS: '300', LEASE_MS: '3000' } : {}),
        ...(service === 'runner' ? { OUTBOUND_ALLOW: '127.0.0.1' } : {}),
        ...(service === 'gateway'
          ? {
              OIDC_ISSUER: `${echo.url}/refuse/issuer`,
              OIDC_CLIENT_ID: 'client',
              OIDC_CLIENT_SECRET: canaries.plant('client secret of OIDC'),
            }
          : {}),
      },
    ]);
    stack = await startStack({ env: Object.fromEntries(env) });
    rest = restClient(base(), stack.apiKey);
    canaries.add('key of the owner', stack.apiKey);
    canaries.add('password of the owner', stack.ownerPassword);
    for (const service of SERVICES) canaries.add(`key of ${service}`, stack.serviceKeyOf(service));
    types = JSON.parse((await rest('GET', '/credential-types')).text).data;
    await rest('PUT', '/apps/planted', smallApp('planted', 'plantedKind'));
    const servers: Servers = {
      echoUrl: echo.url,
      ports: { smtp: smtp.port, ftp: ftp.port, redis: redis.port },
      closedPort: await freePort(),
    };
    for (const type of types) {
      data.set(type.name, canaryData(type, canaries, servers));
      const body = { name: `Of ${type.name}`, type: type.name, data: data.get(type.name) };
      const answer = await kept(rest('POST', '/credentials', body));
      if (answer.status !== 201) throw new Error(`${type.name}: ${answer.text}`);
      credentialIds.set(type.name, textOf(answer, 'id'));
    }
  });
  afterAll(async () => {
    await stack?.stop();
    await echo?.stop();
    await receiver?.stop();
    for (const each of lines ?? []) await each.stop();
  });

  it('are sent by runs that succeed, whose servers repeat them in every way', async () => {
    for (const route of ROUTES) {
      const nodes = requested().map((type) => requestOf(type, route));
      expect(await run(chain(`all of ${route}`, [start, ...nodes]))).toBe('success');
    }
    const sent = echo.received();
    const silent = requested()
      .filter(({ name }) => !['httpDigestAuth', 'oAuth1Api'].includes(name))
      .filter(({ name }) => !sent.split('\n').some((seen) => seen.includes(`/echo/${name}`)));
    expect(silent).toEqual([]);
    expect(canaries.findIn('the server', sent).map(({ form }) => form)).toEqual(
      expect.arrayContaining(['planted, plain', 'planted, Base64']),
    );
  });

  it('are sent by runs that fail, and by nodes of other protocols', async () => {
    const catcher = await store(chain('catcher', [node('Caught', 'errorTrigger', 1, 0), node('End', 'noOp', 1, 200)]));
    // One of each way to send a secret: every type has failed above, in a node whose run continued.
    const kinds = new Map(requested().map((type) => [`${type.applied} ${type.request === undefined}`, type]));
    for (const type of kinds.values()) {
      const settings = { executionOrder: 'v1', errorWorkflow: catcher };
      const workflow = chain(`${type.name} fails`, [start, requestOf(type, 'refuse', false)], { settings });
      expect([type.name, await run(workflow)]).toEqual([type.name, 'error']);
    }
    const on = (type: string, kind: string, version: number, parameters: object): NodeFile =>
      node(type, kind, version, 200, { ...parameters }, { ...using(type), onError: 'continueRegularOutput' });
    const query = { operation: 'executeQuery', query: 'SELECT 1', options: {} };
    const others = [
      on('postgres', 'postgres', 2.5, query),
      on('mySql', 'mySql', 2.4, query),
      on('mongoDb', 'mongoDb', 1.2, { operation: 'find', collection: 'c', query: '{}', options: {} }),
      on('redis', 'redis', 1, { operation: 'get', key: 'k', propertyName: 'v', options: {} }),
      on('ftp', 'ftp', 1, { protocol: 'ftp', operation: 'list', path: '/' }),
      on('sftp', 'ftp', 1, { protocol: 'sftp', operation: 'list', path: '/' }),
      on('sshPassword', 'ssh', 1, { authentication: 'password', command: 'true' }),
      on('sshPrivateKey', 'ssh', 1, { authentication: 'privateKey', command: 'true' }),
      on('smtp', 'emailSend', 2.1, {
        fromEmail: 'a@example.test',
        toEmail: 'b@example.test',
        subject: 's',
        emailFormat: 'text',
        text: VISIBLE,
        options: {},
      }),
      on('s3', 's3', 1, { resource: 'bucket', operation: 'getAll', returnAll: true }),
      on('crypto', 'crypto', 2, { action: 'hmac', type: 'SHA256', value: VISIBLE, dataPropertyName: 'd' }),
      on('jwtAuth', 'jwt', 1, { operation: 'sign', useJson: true, claimsJson: '{"sub":"x"}', options: {} }),
      on('totpApi', 'totp', 1, { options: {} }),
      on('httpSslAuth', 'httpRequest', 4.2, { url: echo.url, provideSslCertificates: true, options: {} }),
    ];
    expect(await run(chain('other protocols', [start, ...others]))).toBe('success');
    const seen = lines.map((each) => each.received());
    for (const text of seen) expect(canaries.findIn('the server', text)).not.toEqual([]);
  });

  it.each([
    ['resume', 'success'],
    ['fail', 'error'],
  ])('are sent by a run whose runner is killed in the middle, by the crash policy %s', async (crashPolicy, status) => {
    const deaths: Promise<void>[] = [];
    echo.onHang = (response) => {
      if (deaths.length > 0) return void response.end('{}');
      const [runner] = stack.of('runner');
      runner?.kill('SIGKILL');
      deaths.push(runner?.restart() ?? Promise.resolve());
    };
    const header = types.find(({ name }) => name === 'httpHeaderAuth');
    if (header === undefined) throw new Error('There is no type httpHeaderAuth.');
    const hang = { ...requestOf(header, 'hang', false), name: 'Hang' };
    const nodes = [
      start,
      requestOf(header, 'echo'),
      { ...hang, parameters: { ...hang.parameters, url: `${echo.url}/hang` } },
    ];
    const settings = { executionOrder: 'v1', crashPolicy };
    expect(await run(chain(`killed, ${crashPolicy}`, nodes, { settings }))).toBe(status);
    await Promise.all(deaths);
    expect(deaths).toHaveLength(1);
  });

  it('guard webhooks, right or wrong', async () => {
    const text = (type: string, field: string): string => String(data.get(type)?.[field]);
    const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const unsigned = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: VISIBLE })}`;
    const body = { text: VISIBLE };
    const mac = (secret: string, of: string, encoding: 'hex' | 'base64url'): string =>
      createHmac('sha256', secret).update(of).digest(encoding);
    const basic = (user: string, password: string): string =>
      `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
    const callers: readonly (readonly [kind: string, type: string, right: object, wrong: object])[] = [
      [
        'basicAuth',
        'httpBasicAuth',
        { authorization: basic(text('httpBasicAuth', 'user'), text('httpBasicAuth', 'password')) },
        { authorization: basic(canaries.plant('wrong user'), canaries.plant('wrong')) },
      ],
      [
        'headerAuth',
        'httpHeaderAuth',
        { 'x-build-version': text('httpHeaderAuth', 'value') },
        { 'x-build-version': canaries.plant('wrong') },
      ],
      [
        'jwtAuth',
        'jwtAuth',
        { authorization: `Bearer ${unsigned}.${mac(text('jwtAuth', 'secret'), unsigned, 'base64url')}` },
        { authorization: `Bearer ${canaries.plantWord('wrong')}` },
      ],
      [
        'signature',
        'webhookSignature',
        { 'x-hub-signature-256': `sha256=${mac(text('webhookSignature', 'secret'), JSON.stringify(body), 'hex')}` },
        { 'x-hub-signature-256': `sha256=${Buffer.from(canaries.plantWord('wrong')).toString('hex')}` },
      ],
    ];
    const own = {
      'x-svc-api-key': stack.apiKey,
      'x-other': stack.apiKey,
      cookie: `weft_session=${canaries.plantWord('session')}`,
    };
    for (const [authentication, type, right, wrong] of callers) {
      const path = `canaries-${authentication}`;
      const hook = { httpMethod: 'POST', path, responseMode: 'lastNode', authentication, options: {} };
      const nodes = [node('Hook', 'webhook', 2, 0, hook, using(type)), node('End', 'noOp', 1, 200)];
      await store({ ...chain(path, nodes), ...{ active: true } });
      const granted = await kept(callWebhook(base(), path, body, { ...own, ...right }));
      expect([authentication, granted.status, granted.text.includes(VISIBLE)]).toEqual([authentication, 200, true]);
      const refused = await kept(callWebhook(base(), path, body, { ...own, ...wrong }));
      expect([authentication, refused.status]).toEqual([authentication, 403]);
    }
  });

  it('sign people and keys in, right or wrong', async () => {
    const headers = (value: string): Readonly<Record<string, string>> => ({ authorization: value });
    const asBasic = (password: string): string =>
      `Basic ${Buffer.from(`${stack.ownerEmail}:${password}`).toString('base64')}`;
    const nobody = restClient(base(), undefined);
    await kept(nobody('GET', '/workflows', undefined, headers(asBasic(stack.ownerPassword))));
    await kept(nobody('GET', '/workflows', undefined, headers(asBasic(typed.wrong))));
    await kept(restClient(base(), canaries.plantWord('wrong key'))('GET', '/workflows'));
    await kept(nobody('GET', '/workflows', undefined, headers(`Bearer ${canaries.plantWord('wrong bearer')}`)));
    const keep = async (response: Response): Promise<void> => void answers.push(await response.text());
    await keep(await page('/session', { email: stack.ownerEmail, password: typed.wrong }));
    await keep(await page('/session', { email: `${canaries.plantWord('typed')}@a.example`, password: typed.wrong }));
    await keep(await page('/invitation', { token: canaries.plantWord('wrong invitation') }));
    const session = await page('/session', { email: stack.ownerEmail, password: stack.ownerPassword });
    await keep(session);
    const [cookie = ''] = session.headers.getSetCookie()[0]?.split(';') ?? [];
    canaries.add('session', cookie.split('=')[1] ?? '');
    const signedIn = await fetch(`${base()}/console/api/v1/keys`, { headers: { cookie, 'x-weft-console': '1' } });
    expect(signedIn.status).toBe(200);
    await keep(signedIn);
    await keep(await fetch(`${base()}/settings/oidc/begin`, { redirect: 'manual' }));
    canaries.add('key of an editor', await makeUser(stack, 'editor', 'editor'));
    canaries.add('new key', textOf(await rest('POST', '/keys', { name: 'n', scopes: ['workflows:read'] }), 'value'));
    const invited = await rest('POST', '/invitations', { email: 'new@a.example', role: 'viewer' });
    const open = await rest('POST', '/invitations', { email: 'open@a.example', role: 'viewer' });
    for (const each of [invited, open]) canaries.add('invitation', textOf(each, 'token'));
    await keep(await page('/invitation/accept', { token: textOf(invited, 'token'), password: typed.right }));
    const again = await page('/session', { email: 'new@a.example', password: typed.right });
    expect(again.status).toBe(200);
  });

  it('are changed, refused and tried out', async () => {
    for (const { name } of types) {
      const path = `/credentials/${credentialIds.get(name) ?? ''}`;
      await kept(rest('PUT', path, { name: `Renamed ${name}`, data: { ...data.get(name), note: 1 } }));
      await kept(
        rest('PUT', path, { data: { ...data.get(name), port: canaries.plant('wrong port'), host: 5, name: 5 } }),
      );
      await kept(rest('POST', '/credentials', { name: 'n', type: canaries.plantWord('type').slice(0, 64), data: {} }));
    }
    const tried = ['smtp', 'ftp', 'redis', 'postgres', 'mySql', 'mongoDb', 's3', 'n8nApi'];
    await Promise.all(
      tried.map((type) => kept(rest('POST', `/credentials/${credentialIds.get(type) ?? ''}/test`, {}))),
    );
    const byAddress = ['httpHeaderAuth', 'httpBasicAuth', 'httpQueryAuth', 'httpCustomAuth', 'oAuth2Api'];
    for (const type of byAddress)
      for (const route of ['refuse', 'redirect']) {
        const body = { url: `${echo.url}/${route}/test` };
        await kept(rest('POST', `/credentials/${credentialIds.get(type) ?? ''}/test`, body));
      }
  });

  it('exist next to a project, a data table and an event subscription', async () => {
    expect((await kept(rest('POST', '/projects', { name: VISIBLE }))).status).toBe(201);
    const columns = [{ name: 'text', type: 'string' }];
    const table = await kept(rest('POST', '/data-tables', { name: 'visible', columns }));
    await kept(rest('POST', '/variables', { key: 'visible', value: 'seen by all' }));
    const row = { rows: [{ text: VISIBLE }] };
    expect((await kept(rest('POST', `/data-tables/${textOf(table, 'id')}/rows`, row))).status).toBe(201);
    const subscription = { name: VISIBLE, url: 'https://receiver.invalid/', paused: true };
    expect((await kept(rest('POST', '/event-subscriptions', subscription))).status).toBe(201);
  });

  it('stand nowhere in clear, where what may be seen is found', async () => {
    const texts = await readEverything(rest);
    const grpc = await readEverythingOverGrpc(stack, texts);
    for (const name of grpc.answered) answeredMethods.add(name);
    const folder = join(stack.dataDir, 'logs');
    const logs = readdirSync(folder)
      .filter((name) => SERVICES.some((service) => name.startsWith(service)))
      .map((name): [string, string] => [name, readFileSync(join(folder, name), 'utf8')]);
    const metrics = await Promise.all(
      metricsPorts.map(async (port) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()),
    );
    const documents = await readWholeStore(stack);
    const faults: Found[] = [
      ...answers.flatMap((text, index) => canaries.findIn(`answer ${index}`, text)),
      ...[...texts].flatMap(([path, text]) => canaries.findIn(path, text)),
      ...[...grpc.answers].flatMap(([path, bytes]) => canaries.findIn(path, bytes)),
      ...logs.flatMap(([name, text]) => canaries.findIn(name, text)),
      ...metrics.flatMap((text, index) => canaries.findIn(`metrics ${index}`, text)),
      ...canaries.findIn('traces', receiver.received()),
      ...[...documents].flatMap(([name, bytes]) => canaries.findIn(name, bytes)),
    ];
    expect(faults).toEqual([]);
    const holds = (text: string | Buffer | undefined, word: string): boolean => text?.includes(word) === true;
    expect({
      answers: answers.filter((text) => text.includes(VISIBLE)).length > 5,
      runs: [...texts].filter(([path, text]) => path.startsWith('/executions/') && text.includes(VISIBLE)).length > 20,
      grpc: [...grpc.answers].filter(([path, bytes]) => path.includes('Data') && holds(bytes, VISIBLE)).length > 20,
      stored: [...documents].some(([name, bytes]) => name.startsWith('executions.') && holds(bytes, VISIBLE)),
      masked: [...texts.values()].filter((text) => text.includes('***')).length >= ROUTES.length,
      audit: holds(documents.get('credentials.audit'), 'credential.use'),
      logs: SERVICES.every((service) => logs.some(([name, text]) => name.startsWith(service) && text !== '')),
      // Of the services, only the gateway logs at this level: the requests that it refuses.
      debug: logs.some(([name, text]) => name.startsWith('gateway') && text.includes('"level":20')),
      metrics: metrics.every((text) => text.includes('weft_build_info')),
      traces: receiver.spans.length > 100,
    }).toEqual({
      answers: true,
      runs: true,
      grpc: true,
      stored: true,
      masked: true,
      audit: true,
      logs: true,
      debug: true,
      metrics: true,
      traces: true,
    });
  });

  it('are searched for in the answers of every method that reads', () => {
    const silent = readingMethods().filter(({ name }) => !answeredMethods.has(name));
    // Nothing was kept for later, nothing tried again, and no conversation stored.
    expect(silent.map(({ name }) => name).sort()).toEqual(['getConversation', 'getDelivery', 'getRetryJob']);
  });

  it('are searched for in every list that the API has', () => {
    const lists = restRoutes()
      .filter((route) => /^GET \/[\w-]+$/.test(route))
      .map((route) => route.slice(4));
    // Catalogues are the same for all callers and generated from code.
    expect(new Set([...READ_LISTS, '/node-types', '/credential-types'])).toEqual(new Set(lists));
  });
});
