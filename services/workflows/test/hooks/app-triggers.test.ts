import { HookAction } from '@weft/proto/credentials';
import { RegistrationState } from '@weft/proto/schedules';
import { uuidv7 } from '@weft/service-kit/ids';
import { connectDatabase } from '@weft/service-kit/mongo';
import { testMongodbUri, until } from '@weft/service-kit/testing';
import { OFTEN, startService, type TestService } from '../support/start-service';

const { HOOK_ACTION_PREPARE, HOOK_ACTION_REGISTER, HOOK_ACTION_CHECK, HOOK_ACTION_REMOVE } = HookAction;

describe('triggers of apps', () => {
  let service: TestService;
  let user: { principal: { userId: string; role: 'editor'; projects: readonly string[] } };

  beforeEach(async () => {
    service = await startService({ ...OFTEN, PUBLIC_URL: 'https://weft.example/' });
    const ownerId = uuidv7();
    user = { principal: { userId: ownerId, role: 'editor', projects: [] } };
    for (const id of [BOT, OTHER]) service.credentials.stored.push({ id, type: 'telegramApi', name: 'Bot', ownerId });
  });
  afterEach(() => service.stop());

  const BOT = uuidv7();
  const OTHER = uuidv7();
  const SLACK = uuidv7();
  const definition = ({ credentialId = BOT, webhookId = 'hook', updates = ['message'], name = 'Bot' } = {}) =>
    Buffer.from(
      JSON.stringify({
        name: 'bot',
        nodes: [
          {
            id: 'n1',
            name,
            type: 'n8n-nodes-base.telegramTrigger',
            typeVersion: 1.2,
            position: [0, 0],
            parameters: { updates },
            credentials: { telegramApi: { id: credentialId, name: 'Bot' } },
            webhookId,
          },
        ],
        connections: {},
      }),
    );
  const create = async (options = {}): Promise<string> => {
    const created = { definition: definition(options), active: false };
    const { workflow } = await service.gateway.createWorkflow(created, user);
    return workflow?.id ?? '';
  };
  const activate = (workflowId: string) => service.gateway.activateWorkflow({ workflowId, ifEtags: [] }, user);
  const deactivate = (workflowId: string) => service.gateway.deactivateWorkflow({ workflowId, ifEtags: [] }, user);
  const isActive = async (workflowId: string) =>
    (await service.gateway.getWorkflow({ workflowId, knownEtags: [] }, user)).workflow?.active;
  const resolve = async (path = 'hook/webhook', method = 'POST') =>
    (await service.gateway.resolveWebhooks({ addresses: [{ method, path }] })).webhooks[0];
  const actions = () => service.credentials.hookCalls.map(({ action }) => action);
  const called = (action: HookAction) => service.credentials.hookCalls.filter((one) => one.action === action);
  const refuse = (message: string, certain = true, action = HOOK_ACTION_REGISTER) => {
    service.credentials.answerHook = (request) =>
      request.action === action
        ? { $case: 'refusal', value: { message, certain } }
        : { $case: 'answer', value: { valid: true, keptJson: '' } };
  };

  it('are registered by the activation, with an address, a sealed secret and the rights of the workflow', async () => {
    const id = await create();
    expect(actions()).toEqual([]);
    await activate(id);
    expect(await isActive(id)).toBe(true);
    expect(actions()).toEqual([HOOK_ACTION_PREPARE, HOOK_ACTION_REGISTER]);
    expect(called(HOOK_ACTION_REGISTER)[0]).toMatchObject({
      workflowId: id,
      ownerId: user.principal.userId,
      kind: 'telegramTrigger',
      version: 1.2,
      parametersJson: '{"updates":["message"]}',
      credentialType: 'telegramApi',
      credentialId: BOT,
      url: 'https://weft.example/webhook/hook/webhook',
      sealedSecret: expect.stringContaining('sealed'),
    });
    expect(await resolve()).toMatchObject({
      found: true,
      workflowId: id,
      settings: {
        value: {
          callers: { authentication: 'hook', credentialId: BOT },
          hook: { hookId: expect.stringContaining(id), sealedSecret: expect.stringContaining('sealed') },
        },
      },
    });
  });

  it('fail the activation with the message of the service, and leave the workflow inactive', async () => {
    refuse('Telegram refused: Unauthorized');
    const id = await create();
    await expect(activate(id)).rejects.toMatchObject({
      reason: 'WORKFLOW_NOT_RUNNABLE',
      message: expect.stringContaining('Telegram refused: Unauthorized'),
      fields: [{ field: 'nodes[0].type' }],
    });
    expect(await isActive(id)).toBe(false);
    expect(await resolve()).toMatchObject({ found: false });
    // The service has certainly not registered it.
    await new Promise((done) => setTimeout(done, 300));
    expect(called(HOOK_ACTION_REMOVE)).toEqual([]);
  });

  it('are removed if the service may have registered them before it failed', async () => {
    refuse('Telegram did not answer within 10 s.', false);
    const id = await create();
    await expect(activate(id)).rejects.toMatchObject({ message: expect.stringContaining('did not answer') });
    expect(await isActive(id)).toBe(false);
    await until('the requests are made', () => called(HOOK_ACTION_REMOVE).length === 1);
  });

  it('of a new workflow that is to be active are registered, or it is stored as inactive with the reason', async () => {
    const created = { definition: definition(), active: true };
    const { workflow } = await service.gateway.createWorkflow(created, user);
    expect(workflow?.active).toBe(true);
    refuse('No such bot');
    const other = { definition: definition({ webhookId: 'other', credentialId: OTHER }), active: true };
    const refused = await service.gateway.createWorkflow(other, user);
    expect(refused.workflow?.active).toBe(false);
    expect(JSON.stringify(refused.warnings)).toContain('No such bot');
    expect(await isActive(refused.workflow?.id ?? '')).toBe(false);
  });

  it('are removed after a deactivation, and after a deletion', async () => {
    const id = await create();
    await activate(id);
    await deactivate(id);
    await until('the requests are made', () => called(HOOK_ACTION_REMOVE).length === 1);
    await activate(id);
    expect(called(HOOK_ACTION_REGISTER)).toHaveLength(2);
    await service.gateway.deleteWorkflow({ workflowId: id, ifEtags: [] }, user);
    await until('the requests are made', () => called(HOOK_ACTION_REMOVE).length === 2);
    expect(called(HOOK_ACTION_REMOVE)[1]).toMatchObject({ workflowId: id, credentialId: BOT });
  });

  it('are registered again while an earlier removal is under way, without being removed afterwards', async () => {
    const id = await create();
    await activate(id);
    let release: () => void = () => undefined;
    const held = new Promise<void>((done) => {
      release = done;
    });
    service.credentials.answerHook = async ({ action }) => {
      if (action === HOOK_ACTION_REMOVE) await held;
      return { $case: 'answer', value: { valid: true, keptJson: '' } };
    };
    await deactivate(id);
    await until('the requests are made', () => called(HOOK_ACTION_REMOVE).length === 1);
    const activating = activate(id);
    await new Promise((done) => setTimeout(done, 300));
    expect(called(HOOK_ACTION_REGISTER)).toHaveLength(1);
    release();
    await activating;
    expect(actions().at(-1)).toBe(HOOK_ACTION_REGISTER);
    await new Promise((done) => setTimeout(done, 300));
    expect(actions().at(-1)).toBe(HOOK_ACTION_REGISTER);
  });

  it('with one credential are refused in a second workflow, which learns of the first one', async () => {
    const first = await create();
    await activate(first);
    const second = await create({ webhookId: 'second' });
    await expect(activate(second)).rejects.toMatchObject({
      reason: 'WEBHOOK_PATH_TAKEN',
      kind: 'conflict',
      details: { workflowId: first },
      message: expect.stringContaining(first),
    });
    expect(called(HOOK_ACTION_REGISTER)).toHaveLength(1);
    await deactivate(first);
    await activate(second);
    expect(await isActive(second)).toBe(true);
    // The removal for the first one must not end the registration of the second one.
    await new Promise((done) => setTimeout(done, 500));
    expect(actions().lastIndexOf(HOOK_ACTION_REMOVE)).toBeLessThan(actions().lastIndexOf(HOOK_ACTION_REGISTER));
  });

  it('are registered again if a new version of the workflow changes them, and only then', async () => {
    const id = await create();
    await activate(id);
    const replace = (options: object) =>
      service.gateway.replaceWorkflow(
        { workflowId: id, definition: definition(options), ifVersionId: '', ifEtags: [] },
        user,
      );
    await replace({ name: 'Renamed' });
    expect(called(HOOK_ACTION_REGISTER)).toHaveLength(1);
    await replace({ updates: ['poll'] });
    expect(called(HOOK_ACTION_REGISTER)).toHaveLength(2);
    await replace({ updates: ['poll'], credentialId: OTHER });
    expect(called(HOOK_ACTION_REGISTER)).toHaveLength(3);
    await until('the requests are made', () =>
      called(HOOK_ACTION_REMOVE).some(({ credentialId }) => credentialId === BOT),
    );
    expect(called(HOOK_ACTION_REMOVE).some(({ credentialId }) => credentialId === OTHER)).toBe(false);
  });

  it('that a service refuses in a new version leave the old one live', async () => {
    const id = await create();
    const { workflow } = await activate(id);
    refuse('No such update');
    await expect(
      service.gateway.replaceWorkflow(
        { workflowId: id, definition: definition({ updates: ['poll'] }), ifVersionId: '', ifEtags: [] },
        user,
      ),
    ).rejects.toMatchObject({ message: expect.stringContaining('No such update') });
    const stored = await service.gateway.getWorkflow({ workflowId: id, knownEtags: [] }, user);
    expect(stored.workflow).toMatchObject({ active: true, versionId: workflow?.versionId });
  });

  it('are checked after a change of their credential, and registered again if it differs', async () => {
    const id = await create();
    await activate(id);
    await service.ownership.recheckHooks({ credentialId: BOT });
    await until('the requests are made', () => called(HOOK_ACTION_CHECK).length === 1);
    expect(called(HOOK_ACTION_REGISTER)).toHaveLength(1);
    service.credentials.credentialRevision = '2';
    await service.ownership.recheckHooks({ credentialId: BOT });
    await until('the requests are made', () => called(HOOK_ACTION_REGISTER).length === 2);
  });

  it('are registered again if the service no longer calls their address', async () => {
    const id = await create();
    await activate(id);
    service.credentials.answerHook = ({ action }) => ({
      $case: 'answer',
      value: { valid: action !== HOOK_ACTION_CHECK, keptJson: '' },
    });
    await service.ownership.recheckHooks({ credentialId: BOT });
    await until('the requests are made', () => called(HOOK_ACTION_REGISTER).length === 2);
  });

  describe('in the preview of the schedule', () => {
    const registrations = async (workflowId: string) =>
      (await service.schedules.previewSchedule({ workflowId, count: 0 }, user)).registrations;

    it('are registered while the workflow is active, and absent otherwise', async () => {
      const id = await create();
      expect(await registrations(id)).toEqual([]);
      await activate(id);
      expect(await registrations(id)).toEqual([
        {
          node: 'Bot',
          url: 'https://weft.example/webhook/hook/webhook',
          state: RegistrationState.REGISTRATION_STATE_REGISTERED,
          message: '',
          failures: 0,
          nextAt: expect.any(Date),
        },
      ]);
      await deactivate(id);
      expect(await registrations(id)).toEqual([]);
    });

    it('have failed, with the reason and the next attempt, while the service refuses a check', async () => {
      const id = await create();
      await activate(id);
      refuse('Telegram refused: Unauthorized', true, HOOK_ACTION_CHECK);
      await service.ownership.recheckHooks({ credentialId: BOT });
      const failed = RegistrationState.REGISTRATION_STATE_FAILED;
      await until('the check fails', async () => (await registrations(id))[0]?.state === failed);
      const [registration] = await registrations(id);
      expect(registration).toMatchObject({ message: 'Telegram refused: Unauthorized', failures: 1 });
      expect(registration?.nextAt?.getTime()).toBeGreaterThan(Date.now());
      service.credentials.answerHook = () => ({ $case: 'answer', value: { valid: true, keptJson: '' } });
      await service.ownership.recheckHooks({ credentialId: BOT });
      await until('the check succeeds', async () => (await registrations(id))[0]?.message === '');
    });

    it('wait until the service has been told', async () => {
      const id = await create();
      await activate(id);
      const database = await connectDatabase(testMongodbUri(), service.database);
      await database.connection.collection('hooks').updateMany({}, { $unset: { registration: '' } });
      await database.close();
      expect((await registrations(id))[0]?.state).toBe(RegistrationState.REGISTRATION_STATE_WAITING);
    });

    it('are entered by a user for a service that cannot be told', async () => {
      service.credentials.stored.push({ id: SLACK, type: 'slackApi', name: 'S', ownerId: user.principal.userId });
      const trigger = {
        id: 'n1',
        name: 'Slack',
        type: 'n8n-nodes-base.slackTrigger',
        typeVersion: 1,
        position: [0, 0],
        parameters: { trigger: ['message'] },
        credentials: { slackApi: { id: SLACK, name: 'S' } },
        webhookId: 'slack',
      };
      const created = Buffer.from(JSON.stringify({ name: 's', nodes: [trigger], connections: {} }));
      const { workflow } = await service.gateway.createWorkflow({ definition: created, active: true }, user);
      expect(await registrations(workflow?.id ?? '')).toMatchObject([
        { node: 'Slack', state: RegistrationState.REGISTRATION_STATE_MANUAL, nextAt: undefined },
      ]);
    });
  });

  it('of a service that hangs do not delay those of others', async () => {
    const id = await create();
    await activate(id);
    const valid = { $case: 'answer', value: { valid: true, keptJson: '' } } as const;
    let release: () => void = () => undefined;
    const held = new Promise<typeof valid>((done) => {
      release = () => done(valid);
    });
    service.credentials.answerHook = ({ credentialId }) => (credentialId === BOT ? held : valid);
    await service.ownership.recheckHooks({ credentialId: BOT });
    await until('the requests are made', () => called(HOOK_ACTION_CHECK).length === 1);
    const healthy = await create({ webhookId: 'healthy', credentialId: OTHER });
    const started = performance.now();
    await activate(healthy);
    await deactivate(healthy);
    await until('the requests are made', () => called(HOOK_ACTION_REMOVE).length === 1);
    expect(performance.now() - started).toBeLessThan(5_000);
    release();
  });
});
