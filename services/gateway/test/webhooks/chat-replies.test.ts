import type { ChatWait } from '@weft/proto/channels';
import { ServiceError } from '@weft/service-kit/errors';
import { webhookWait } from '../peers/ingress-settings';
import { webhookAt } from '../peers/workflows';
import { startGateway, type TestGateway } from '../support/start-gateway';

const TOKEN = 't'.repeat(43);
const SUFFIX = '~chat/ask-0';
const AT = `/webhook-waiting/${TOKEN}`;
const TOLD = 'application/vnd.weft.chat+json';

describe('the chat of a run', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  const messages = [{ author: 'assistant', text: 'Your name?' }];
  const settingsOf = (over: Partial<ChatWait> = {}, suffix = SUFFIX) => ({
    suffix,
    channel: { $case: 'chat' as const, value: { messages, since: 0, buttons: [], blocksText: false, ...over } },
  });
  const waits = (over: Partial<ChatWait> = {}) => gateway.executions.waits.set(TOKEN, { settings: settingsOf(over) });
  /** State of the run after a reply. */
  const thenSays = (told: object) =>
    gateway.executions.trails.set(TOKEN, {
      polled: {
        executionId: 'e1',
        existing: true,
        ended: undefined,
        response: {
          statusCode: 200,
          headers: [{ name: 'content-type', value: TOLD }],
          body: Buffer.from(JSON.stringify(told)),
        },
      },
    });
  const reply = (body: unknown, suffix = SUFFIX) => gateway.ask('POST', `${AT}/${suffix}`, { body });
  const resumed = () => gateway.executions.callsOf('resumeExecution');
  const linesOf = (text: string): readonly unknown[] =>
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));

  it('continues with a reply, and shows what the run says then', async () => {
    waits();
    thenSays({ messages: [{ author: 'assistant', text: 'Hello Ann' }], since: 0 });
    const { status, text, headers } = await reply({ chatInput: 'Ann', sessionId: 's', action: 'sendMessage', more: 1 });
    expect(status).toBe(200);
    expect(linesOf(text)).toEqual([{ type: 'chat', messages: [{ author: 'assistant', text: 'Hello Ann' }], since: 0 }]);
    expect(headers.get('cache-control')).toContain('no-cache');
    expect(JSON.parse(gateway.executions.told.resumedWith ?? '')).toEqual([
      { json: { headers: {}, params: {}, query: {}, body: { chatInput: 'Ann' }, executionMode: 'production' } },
    ]);
    expect(resumed()[0]?.request).toMatchObject({ resumeToken: TOKEN, generation: 3 });
  });

  it('shows the next question of the run', async () => {
    waits();
    const next = settingsOf({ buttons: [{ label: 'Yes', approves: true, style: 'primary' }] }, '~chat/ask-1');
    gateway.executions.trails.set(TOKEN, {
      waiting: { executionId: 'e1', generation: 4, workflowId: 'w', ownerId: 'o', settings: next },
    });
    const { text } = await reply({ chatInput: 'Ann' });
    expect(linesOf(text)).toMatchObject([
      { type: 'chat', messages, reply: { path: `${AT}/~chat/ask-1`, buttons: [{ label: 'Yes', approves: true }] } },
    ]);
  });

  it('takes one of two replies, and tells the other that it is late', async () => {
    waits();
    thenSays({ messages: [], since: 0 });
    const statuses = await Promise.all([reply({ chatInput: 'a' }), reply({ chatInput: 'b' })]);
    expect(statuses.map(({ status }) => status).sort()).toEqual([200, 409]);
    const late = statuses.find(({ status }) => status === 409);
    expect(late?.json).toMatchObject({
      error: {
        details: { reason: 'EXECUTION_NOT_WAITING' },
        message: expect.stringContaining('no longer waits for this reply'),
      },
    });
  });

  it.each([
    ['an earlier question', { settings: settingsOf({}, '~chat/ask-1') }],
    ['a run that waits for something else', { settings: webhookWait() }],
  ])('refuses a reply to %s', async (_name, wait) => {
    gateway.executions.waits.set(TOKEN, wait);
    const { status, json } = await reply({ chatInput: 'Ann' });
    expect([status, json.error?.details]).toMatchObject([409, { reason: 'EXECUTION_NOT_WAITING' }]);
    expect(resumed()).toEqual([]);
  });

  it('refuses a reply to a run that does not wait, or that is not known', async () => {
    expect((await reply({ chatInput: 'Ann' })).status).toBe(404);
    const ended = new ServiceError({ reason: 'EXECUTION_NOT_WAITING', kind: 'conflict', message: 'It has ended.' });
    gateway.executions.fail('findWait', ended);
    expect((await reply({ chatInput: 'Ann' })).json.error?.message).toContain('its time is over');
  });

  it.each([
    [{ chatInput: 1 }, 'chatInput'],
    [{}, 'chatInput'],
    [['a'], 'chatInput'],
    [{ approved: true }, 'approved'],
    [{ approved: 'maybe' }, 'approved'],
  ])('refuses the reply %j', async (body, field) => {
    waits();
    const { status, json } = await reply(body);
    expect([status, JSON.stringify(json)]).toEqual([400, expect.stringContaining(`"${field}"`)]);
    expect(resumed()).toEqual([]);
  });

  it('takes only buttons if text is blocked', async () => {
    waits({ blocksText: true, buttons: [{ label: 'Yes', approves: true, style: 'primary' }] });
    thenSays({ messages: [], since: 0 });
    const blocked = await reply({ chatInput: 'Ann' });
    expect([blocked.status, JSON.stringify(blocked.json)]).toEqual([
      400,
      expect.stringContaining('waits for a button'),
    ]);
    expect((await reply({ approved: false })).status).toBe(400);
    expect((await reply({ approved: true })).status).toBe(200);
    expect(gateway.executions.told.resumedWith).toContain('"body":{"approved":true}');
  });

  it('refuses a reply that is too large', async () => {
    waits();
    const { status } = await reply({ chatInput: 'x'.repeat(11_000_000) });
    expect(status).toBe(413);
    expect(resumed()).toEqual([]);
  });

  it('stores the files of a reply with the run', async () => {
    waits();
    thenSays({ messages: [], since: 0 });
    const form = new FormData();
    form.append('chatInput', '');
    form.append('files', new Blob(['x'], { type: 'text/plain' }), 'x.txt');
    const sent = await fetch(`${gateway.base}${AT}/${SUFFIX}`, { method: 'POST', body: form });
    expect(sent.status).toBe(200);
    expect([...gateway.executions.inputFiles.values()]).toMatchObject([{ executionId: 'e1', fileName: 'x.txt' }]);
    expect(gateway.executions.told.resumedWith).toContain('"fileName":"x.txt"');
  });

  it('is shown again when its page is opened again, without resuming the run', async () => {
    gateway.executions.trails.set(TOKEN, {
      waiting: { executionId: 'e1', generation: 3, workflowId: 'w', ownerId: 'o', settings: settingsOf() },
    });
    const { status, text } = await gateway.ask('GET', `${AT}/~chat`, {});
    expect(status).toBe(200);
    expect(linesOf(text)).toMatchObject([{ type: 'chat', messages, reply: { path: `${AT}/${SUFFIX}` } }]);
    expect(resumed()).toEqual([]);
    expect((await gateway.ask('DELETE', `${AT}/~chat`, {})).status).toBe(404);
  });

  it('begins with the response of the trigger', async () => {
    gateway.workflows.webhooks.set('POST c/chat', webhookAt({}, { responseMode: 'chat' }));
    const told = { messages, since: 0, isFailed: true };
    gateway.executions.told.answer = {
      statusCode: 200,
      headers: [{ name: 'content-type', value: TOLD }],
      body: Buffer.from(JSON.stringify(told)),
    };
    const { text } = await gateway.ask('POST', '/webhook/c/chat', { body: { chatInput: 'Hi' } });
    expect(linesOf(text)).toEqual([{ type: 'chat', ...told }]);
  });
});
