import type { AppDocument, AppOperation } from '@weft/app-model';
import type { JsonObject } from '@weft/node-catalogue';
import type { Resume } from '@weft/engine';
import type { OutboundHttp } from '@weft/outbound';
import { formWaitOf } from '../../testing/caller-wait';
import { type AppTestRun, runAppKind } from '../testing/run-app';

const ASK: AppOperation = {
  send: { approve: 'Yes!', disapprove: 'No!' },
  call: 'api',
  path: '/messages',
  body: { text: '={{ $send.message }}', buttons: '={{ $send.buttons }}', n: '={{ $json.n }}' },
};

/** An app whose one operation sends a message with links. */
const appWith = (ask = ASK): AppDocument => ({
  weftApp: 1,
  name: 'chat',
  label: 'Chat',
  hosts: ['chat.example'],
  credentials: { httpBearerAuth: 'catalogue' },
  calls: { api: { url: 'https://chat.example', method: 'POST' } },
  kinds: {
    chat: {
      label: 'Chat',
      description: 'Sends messages.',
      versions: [1],
      groups: ['output'],
      credentials: [{ type: 'httpBearerAuth' }],
      parameters: [
        {
          name: 'operation',
          label: 'Operation',
          type: 'options',
          default: 'ask',
          options: [{ value: 'ask', label: 'Ask' }],
        },
      ],
      operations: { ask },
    },
  },
});

interface SentButton {
  readonly label: string;
  readonly url: string;
  readonly style: string;
}
interface Sent {
  readonly text: string;
  readonly n: number;
  readonly buttons: readonly SentButton[];
}

describe('an operation with `send`', () => {
  let sent: Sent[];
  let paths: string[];
  /** Status of the response to each request; 200 afterwards. */
  let statuses: number[];
  beforeEach(() => {
    sent = [];
    paths = [];
    statuses = [];
  });
  const http: OutboundHttp = {
    request: async ({ url, body }) => {
      const status = statuses.shift() ?? 200;
      paths.push(new URL(url).pathname);
      const text = body instanceof Uint8Array ? Buffer.from(body).toString() : '';
      if (status === 200 && url.endsWith('/messages')) {
        const message: Sent = JSON.parse(text);
        sent.push(message);
      }
      const headers = { 'content-type': 'application/json', ...(status === 429 ? { 'retry-after': '60' } : {}) };
      return { status, statusText: '', headers, body: Buffer.from('{}'), url };
    },
  };
  const run = (parameters: JsonObject = {}, over: Partial<AppTestRun> = {}) =>
    runAppKind({
      app: appWith(),
      http,
      credential: { token: 't' },
      items: [{ n: 1 }, { n: 2 }],
      parameters: { message: 'May I?', ...parameters },
      ...over,
    });
  const json = (result: Awaited<ReturnType<typeof run>>) => result.items.map((item) => item.json);
  const answer = (body: JsonObject): Resume => ({
    kind: 'webhook',
    item: { json: { body, query: {}, submittedAt: '2026-01-01T00:00:00.000Z' } },
  });
  const double = { approvalOptions: { values: { approvalType: 'double' } } };

  it('sends one message, for the first item, and waits without a limit', async () => {
    const { questions, items } = await run();
    expect(sent).toMatchObject([{ text: 'May I?', n: 1, buttons: [{ label: 'Approve', style: 'primary' }] }]);
    expect(items).toEqual([]);
    const [question] = questions;
    expect(question?.at).toBeUndefined();
    expect(sent[0]?.buttons[0]?.url).toBe(
      `https://weft.example/form-waiting/${question?.token}/${question?.settings.suffix}?approved=true`,
    );
  });

  it.each([
    [true, 'true'],
    [false, 'false'],
  ])('outputs approved: %s, once, with the time of the click', async (approved, value) => {
    const result = await run(double, { resumes: [answer({ approved: value })] });
    expect(json(result)).toEqual([{ data: { approved, respondedAt: '2026-01-01T00:00:00.000Z' } }]);
    expect(result.items[0]?.pairedItem).toEqual({ item: 0 });
    expect(sent).toHaveLength(1);
  });

  it('shows the buttons of the message on its page, and admits no other value', async () => {
    const { questions } = await run(double);
    expect(sent[0]?.buttons).toMatchObject([
      { label: 'No!', style: 'secondary', approved: false, url: expect.stringMatching(/\?approved=false$/) },
      { label: 'Yes!', style: 'primary', approved: true, url: expect.stringMatching(/\?approved=true$/) },
    ]);
    const [question] = questions;
    if (question === undefined) throw new Error('Expected a question.');
    expect(formWaitOf(question)).toMatchObject({
      callers: { authentication: 'none' },
      page: {
        description: 'May I?',
        fields: [{ name: 'approved', type: 'radio', required: true, options: ['false', 'true'] }],
      },
      choice: {
        buttons: [
          { value: 'false', label: 'No!' },
          { value: 'true', label: 'Yes!' },
        ],
      },
    });
  });

  it('has the labels of the node, and a default for an empty one', async () => {
    const values = { approvalType: 'double', approveLabel: 'Go &amp; deploy', disapproveLabel: '' };
    await run({ approvalOptions: { values } });
    expect(sent[0]?.buttons.map(({ label }) => label)).toEqual(['Disapprove', 'Go & deploy']);
  });

  it('reads entities and line breaks of the message, as n8n does', async () => {
    await run({ message: ' a<br>b\\nc &lt;d&gt; &quot;e&quot; ' });
    expect(sent[0]?.text).toBe('a\nb\nc <d> "e"');
  });

  it('asks for a text on a page', async () => {
    const options = { messageButtonLabel: 'Reply', responseFormTitle: 'Your view' };
    const result = await run({ responseType: 'freeText', options }, { resumes: [answer({ text: 'fine' })] });
    expect(sent[0]?.buttons.map(({ label }) => label)).toEqual(['Reply']);
    const [question] = result.questions;
    if (question === undefined) throw new Error('Expected a question.');
    expect(formWaitOf(question)).toMatchObject({ page: { title: 'Your view', fields: [{ type: 'textarea' }] } });
    expect(formWaitOf(question).choice).toBeUndefined();
    expect(json(result)).toEqual([{ data: { text: 'fine', respondedAt: '2026-01-01T00:00:00.000Z' } }]);
  });

  it('asks for a form, with fields or JSON', async () => {
    const fields = { formFields: { values: [{ fieldLabel: 'Size', fieldType: 'number' }] } };
    const asJson = { defineForm: 'json', jsonOutput: '[{ "fieldLabel": "Size", "fieldType": "number" }]' };
    for (const form of [fields, asJson]) {
      const result = await run({ responseType: 'customForm', ...form }, { resumes: [answer({ Size: 4 })] });
      expect(json(result)).toEqual([{ data: { Size: 4, respondedAt: '2026-01-01T00:00:00.000Z' } }]);
    }
  });

  it('sends no message if its form cannot be shown', async () => {
    const { error } = await run({ responseType: 'customForm', defineForm: 'json', jsonOutput: '{}' });
    expect(error?.message).toContain('not a JSON array of objects');
    expect(paths).toEqual([]);
  });

  it('passes its items on after the time limit, which its links name', async () => {
    const options = { limitWaitTime: { values: { resumeAmount: 2, resumeUnit: 'minutes' } } };
    const result = await run({ options }, { resumes: [{ kind: 'timer' }] });
    expect(result.questions[0]?.at).toBe(1_700_000_120_000);
    expect(sent[0]?.buttons[0]?.url).toMatch(/\?approved=true&expires=1700000120$/);
    expect(json(result)).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it('does not send its message again on another runner', async () => {
    const result = await run({}, { resumes: [undefined, answer({ approved: 'true' })] });
    expect(sent).toHaveLength(1);
    expect(result.questions[1]).toEqual(result.questions[0]);
    expect(json(result)).toMatchObject([{ data: { approved: true } }]);
  });

  it('waits without a slot for a service that asks for it, and repeats no finished step', async () => {
    const body = { text: '={{ $send.message }}', buttons: '={{ $send.buttons }}' };
    const steps = [
      { as: 'chat', call: 'api', path: '/chats' },
      { as: 'sent', call: 'api', path: '/messages', body },
    ];
    const app = appWith({ send: {}, steps });
    statuses = [200, 429];
    const result = await run({}, { app, resumes: [answer({ approved: 'true' })] });
    expect(result.waits).toEqual([60_000]);
    expect(paths).toEqual(['/chats', '/messages', '/messages']);
    expect(json(result)).toMatchObject([{ data: { approved: true } }]);
  });

  it('fails if the service refuses the message, or outputs the error if the node continues', async () => {
    statuses = [400];
    expect((await run()).error?.message).toContain('Bad request');
    statuses = [400];
    const result = await run({}, { continueOnFail: true });
    expect([json(result), result.questions]).toEqual([[{ error: expect.stringContaining('Bad request') }], []]);
  });
});
