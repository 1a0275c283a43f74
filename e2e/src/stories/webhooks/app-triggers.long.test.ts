import { borrowStack, giveStackBack, type Stack, type StackProcess } from '@weft/local-stack';
import { listOf, restClient, textOf, type Rest } from '../../support/rest';
import { startTelegram, type Telegram } from '../../support/stand-ins/telegram';
import { until } from '../../support/until';
import { connect, node } from '../../support/workflows';

// The trigger of an app and its service: whatever happens in between, the service has the hook of the active workflow,
// and no other.
describe('a Telegram trigger', () => {
  let stack: Stack;
  let rest: Rest;
  let telegram: Telegram;
  let bots = 0;

  beforeAll(async () => {
    telegram = await startTelegram();
    stack = await borrowStack({ replicas: 2, env: { runner: telegram.runner } });
    rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
  });
  afterAll(async () => {
    await giveStackBack(stack);
    await telegram?.stop();
  });
  beforeEach(() => {
    telegram.hostility = () => false;
    telegram.onRegistered = () => Promise.resolve();
  });

  /** A new bot with a credential. */
  const newBot = async () => {
    const bot = `${(bots += 1)}:token`;
    const created = await rest('POST', '/credentials', {
      name: `bot ${bot}`,
      type: 'telegramApi',
      data: { accessToken: bot },
    });
    return { bot, credentialId: textOf(created, 'id') };
  };
  const newWorkflow = async (credentialId: string, webhookId: string): Promise<string> => {
    const credentials = { telegramApi: { id: credentialId, name: 'Bot' } };
    const created = await rest('POST', '/workflows', {
      name: webhookId,
      nodes: [
        node('Bot', 'telegramTrigger', 1.2, 0, { updates: ['message'] }, { credentials, webhookId, id: webhookId }),
        node('Then', 'noOp', 1, 200),
      ],
      connections: connect({ Bot: [['Then']] }),
      settings: { executionOrder: 'v1' },
    });
    return textOf(created, 'id');
  };
  const activate = (id: string) => rest('POST', `/workflows/${id}/activate`);
  /** A replica may be healthy before the gateway has connected to it again. */
  const deactivate = (id: string) =>
    until('it is deactivated', async () => (await rest('POST', `/workflows/${id}/deactivate`)).status === 200);
  const untilGone = (bot: string) => until(`${bot} has no hook`, () => Promise.resolve(!telegram.hooks.has(bot)));
  const runsOf = async (id: string) => listOf(await rest('GET', `/executions?workflowId=${id}&includeData=true`));

  it('is registered by the activation, starts runs with updates, and is removed by the deactivation', async () => {
    const { bot, credentialId } = await newBot();
    const id = await newWorkflow(credentialId, 'story');
    expect(telegram.hooks.has(bot)).toBe(false);
    expect(await activate(id)).toMatchObject({ status: 200 });
    expect(telegram.hooks.get(bot)?.url).toMatch(/\/webhook\/story\/webhook$/);
    expect((await telegram.send(bot, { update_id: 1, message: { text: 'hello' } })).status).toBe(200);
    const [run] = await until('the run has ended', async () => {
      const all = await runsOf(id);
      return all.length === 1 && all[0]?.['status'] === 'success' && all;
    });
    expect(JSON.stringify(run)).toContain('hello');
    expect(JSON.stringify(run)).not.toContain(telegram.hooks.get(bot)?.secret);
    expect((await telegram.send(bot, { update_id: 2 }, 'wrong')).status).toBe(403);
    expect(await runsOf(id)).toHaveLength(1);
    await deactivate(id);
    await untilGone(bot);
  });

  it('that Telegram refuses fails the activation with its message', async () => {
    const { bot, credentialId } = await newBot();
    telegram.unknown.add(bot);
    const id = await newWorkflow(credentialId, 'refused');
    const refused = await activate(id);
    expect(refused).toMatchObject({ status: 400, text: expect.stringContaining('Unauthorized') });
    expect(refused.text).not.toContain(bot);
    expect((await rest('GET', `/workflows/${id}`)).text).toContain('"active":false');
  });

  it('in a second workflow with the same bot is refused with the first one', async () => {
    const { bot, credentialId } = await newBot();
    const [first, second] = [await newWorkflow(credentialId, 'first'), await newWorkflow(credentialId, 'second')];
    await activate(first);
    const refused = await activate(second);
    expect(refused).toMatchObject({ status: 409, text: expect.stringContaining(first) });
    expect(telegram.hooks.get(bot)?.url).toContain('/first/');
    await deactivate(first);
    expect(await activate(second)).toMatchObject({ status: 200 });
    expect(telegram.hooks.get(bot)?.url).toContain('/second/');
    await rest('DELETE', `/workflows/${second}`);
    await untilGone(bot);
  });

  it('has exactly one hook after a replica was killed between the registration and its record', async () => {
    const { bot, credentialId } = await newBot();
    const id = await newWorkflow(credentialId, 'killed');
    const replicas = stack.of('workflows');
    telegram.onRegistered = async () => {
      telegram.onRegistered = () => Promise.resolve();
      for (const each of replicas) each.kill('SIGKILL');
      await Promise.all(replicas.map(({ ended }) => ended));
    };
    await activate(id).catch(() => undefined);
    await Promise.all(replicas.map((each: StackProcess) => each.restart()));
    await until('the workflow can be read', async () => (await rest('GET', `/workflows/${id}`)).status === 200);
    const isActive = (await rest('GET', `/workflows/${id}`)).text.includes('"active":true');
    if (!isActive) expect(await activate(id)).toMatchObject({ status: 200 });
    // Its record is made again once the lease of the killed process has ended.
    await until('the registration is repeated', () =>
      Promise.resolve(telegram.requests.filter((one) => one.bot === bot && one.method === 'setWebhook').length >= 2),
    );
    expect([...telegram.hooks.keys()].filter((one) => one === bot)).toHaveLength(1);
    expect((await telegram.send(bot, { update_id: 1, message: { text: 'still there' } })).status).toBe(200);
    await until('the run has ended', async () => (await runsOf(id)).some((run) => run['status'] === 'success'));
    await deactivate(id);
    await untilGone(bot);
  });

  it('is registered with the new address after a change of PUBLIC_URL', async () => {
    const { bot, credentialId } = await newBot();
    const id = await newWorkflow(credentialId, 'moved');
    await activate(id);
    const moved = `http://localhost:${new URL(stack.baseUrls[0] ?? '').port}`;
    const replicas = stack.of('workflows');
    const before = replicas.map(({ settings }) => settings);
    await Promise.all(replicas.map((each) => each.restart({ ...each.settings, PUBLIC_URL: moved })));
    await until('the hook has moved', () =>
      Promise.resolve(telegram.hooks.get(bot)?.url.startsWith(`${moved}/webhook/`)),
    );
    // Telegram repeats an update that was answered with 503, which the gateway does until it has connected again.
    await until('the update is accepted', async () => {
      const { status } = await telegram.send(bot, { update_id: 1, message: { text: 'moved' } });
      return status === 200;
    });
    await Promise.all(replicas.map((each, index) => each.restart(before[index])));
    await deactivate(id);
    await untilGone(bot);
  });

  it('of a bot whose service hangs, answers with 10 MB or redirects delays no other', async () => {
    const hostile = [await newBot(), await newBot(), await newBot()];
    const [hanging, large, redirecting] = hostile.map(({ bot }) => bot);
    telegram.hostility = ({ bot }, response) => {
      if (bot === hanging) return true;
      if (bot === large) response.writeHead(200, { 'content-type': 'application/json' }).end('"x"'.padEnd(10_000_000));
      if (bot === redirecting) response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end();
      return bot === large || bot === redirecting;
    };
    const ids = await Promise.all(
      hostile.map(({ credentialId, bot }) => newWorkflow(credentialId, `h${bot.length}${bot[0]}`)),
    );
    const refused = Promise.all(ids.map(activate));
    const { bot, credentialId } = await newBot();
    const healthy = await newWorkflow(credentialId, 'healthy');
    const started = performance.now();
    expect(await activate(healthy)).toMatchObject({ status: 200 });
    expect((await telegram.send(bot, { update_id: 1, message: { text: 'hi' } })).status).toBe(200);
    expect(performance.now() - started).toBeLessThan(8_000);
    for (const answer of await refused) expect(answer.status).toBeGreaterThanOrEqual(400);
    for (const id of ids) expect((await rest('GET', `/workflows/${id}`)).text).toContain('"active":false');
    await deactivate(healthy);
    await untilGone(bot);
  });
});
