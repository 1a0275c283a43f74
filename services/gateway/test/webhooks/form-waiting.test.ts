import type { FormWait } from '@weft/proto/channels';
import { ExecutionState } from '@weft/proto/executions';
import { isJsonObject } from '@weft/service-kit/json';
import { until } from '@weft/service-kit/testing';
import { executionOf } from '../peers/executions';
import { callerRules, formField as field, webhookWait } from '../peers/ingress-settings';
import { startGateway, type TestGateway } from '../support/start-gateway';

type Fields = Readonly<Record<string, unknown>>;

describe('/form-waiting/<token>', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  const token = 'token-0123456789abcdef';
  const wait = { executionId: 'e1', generation: 4, workflowId: 'w1', ownerId: 'owner' };
  const page = { title: 'Step 2', description: '', button: 'Next', css: '', fields: [field({ required: true })] };
  const waiting = (over: Partial<FormWait> = {}, suffix = '') =>
    gateway.executions.trails.set(token, {
      waiting: {
        ...wait,
        settings: {
          suffix,
          channel: { $case: 'form', value: { callers: callerRules(), leadsOn: true, page, ...over } },
        },
      },
    });

  it('shows the page that the run waits for, checks the submission, and resumes the run with it', async () => {
    waiting();
    gateway.executions.waits.set(token, {});
    expect((await gateway.ask('GET', `/form-waiting/${token}`)).text).toContain('<h1>Step 2</h1>');
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const wrong = await gateway.ask('POST', `/form-waiting/${token}`, { body: 'field-0=', headers });
    expect([wrong.status, gateway.executions.callsOf('resumeExecution').length]).toEqual([400, 0]);
    const right = await gateway.ask('POST', `/form-waiting/${token}`, { body: 'field-0=x', headers });
    expect([right.status, right.headers.get('location')]).toEqual([303, `/form-waiting/${token}`]);
    const [call] = gateway.executions.callsOf('resumeExecution');
    expect(call?.request).toMatchObject({ resumeToken: token, generation: 4 });
    expect(isJsonObject(call?.request) && String(call.request['input'])).toContain('"body":{"Name":"x"}');
  });

  it('stores files with the waiting run', async () => {
    waiting({ page: { ...page, fields: [field({ type: 'file' })] } });
    gateway.executions.waits.set(token, {});
    const form = new FormData();
    form.append('field-0', new Blob(['x'], { type: 'text/plain' }), 'x.txt');
    expect(
      (await fetch(`${gateway.base}/form-waiting/${token}`, { method: 'POST', body: form, redirect: 'manual' })).status,
    ).toBe(303);
    expect([...gateway.executions.inputFiles.values()]).toMatchObject([{ executionId: 'e1', fileName: 'x.txt' }]);
  });

  it('confirms a form without a next page immediately, unless the run has more to show', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const send = async (after: Fields) => {
      waiting({ leadsOn: false, end: { end: { $case: 'text', value: 'Noted.' } } });
      gateway.executions.waits.set(token, {});
      const release = gateway.executions.hold('resumeExecution');
      const sent = gateway.ask('POST', `/form-waiting/${token}`, { body: 'field-0=x', headers });
      await until('the run is about to be woken', () =>
        Promise.resolve(gateway.executions.callsOf('resumeExecution').length > 0 || undefined),
      );
      gateway.executions.trails.set(token, after);
      release();
      return sent;
    };
    expect(
      await send({ polled: { executionId: 'e1', existing: true, response: undefined, ended: undefined } }),
    ).toMatchObject({ status: 200, text: expect.stringContaining('Noted.') });
    gateway.executions.seen.length = 0;
    expect(await send({ waiting: wait })).toMatchObject({ status: 303 });
  });

  it('shows no page for a wait of another ingress, or at another suffix', async () => {
    gateway.executions.trails.set(token, { waiting: { ...wait, settings: webhookWait() } });
    expect((await gateway.ask('GET', `/form-waiting/${token}`)).text).not.toContain('Step 2');
    waiting({}, 'x');
    expect((await gateway.ask('GET', `/form-waiting/${token}`)).text).not.toContain('Step 2');
    expect((await gateway.ask('GET', `/form-waiting/${token}/x`)).text).toContain('Step 2');
  });

  it('continues polling after an announced page has expired, and then shows the end', async () => {
    const answer = {
      statusCode: 200,
      headers: [{ name: 'content-type', value: 'application/vnd.weft.form+json' }],
      body: Buffer.from(JSON.stringify({ kind: 'page', token })),
    };
    gateway.executions.trails.set(token, {
      polled: { executionId: 'e1', existing: true, response: answer, ended: undefined },
    });
    expect((await gateway.ask('GET', `/form-waiting/${token}`)).text).toContain('One moment');
    gateway.executions.trails.set(token, {
      polled: { executionId: 'e1', existing: true, response: answer, ended: executionOf('e1') },
    });
    expect((await gateway.ask('GET', `/form-waiting/${token}`)).text).toContain('Your response has been recorded.');
  });

  describe('behind the links of a message', () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const link = `/form-waiting/${token}/QXNr-0`;
    const approval = field({ name: 'approved', type: 'radio', required: true, options: ['false', 'true'] });
    const asks = () =>
      waiting(
        {
          leadsOn: false,
          page: { ...page, title: 'Deploy?', fields: [approval] },
          end: { end: { $case: 'text', value: 'Got it.' } },
          choice: {
            buttons: [
              { value: 'false', label: 'No' },
              { value: 'true', label: 'Yes "now"' },
            ],
          },
        },
        'QXNr-0',
      );
    const open = (query: string) => gateway.ask('GET', `${link}?${query}`);
    const click = (query: string, body: string) => gateway.ask('POST', `${link}?${query}`, { body, headers });
    const resumes = () => gateway.executions.callsOf('resumeExecution');
    const buttonsIn = (html: string) => [...html.matchAll(/<button [^>]*value="(\w+)"/g)].map(([, value]) => value);

    it('shows the button of the link, and responds by a click on it only', async () => {
      asks();
      gateway.executions.waits.set(token, {});
      const shown = await open('approved=true&expires=99999999999&x=1');
      expect([shown.status, buttonsIn(shown.text)]).toEqual([200, ['true']]);
      expect(shown.text).toContain('>Yes &#34;now&#34;</button>');
      expect(shown.text).toContain(`action="${link}?approved=true&#38;expires=99999999999"`);
      expect((await gateway.ask('HEAD', `${link}?approved=true`)).status).toBe(200);
      expect(resumes()).toEqual([]);
      const done = await click('approved=true', 'field-0=true');
      expect([done.status, done.text]).toEqual([200, expect.stringMatching(/Response recorded[^]*Got it\./)]);
      const [call] = resumes();
      expect(isJsonObject(call?.request) && String(call.request['input'])).toContain('"body":{"approved":"true"}');
    });

    it('shows all buttons if the link names none of them, and responds with no other value', async () => {
      asks();
      expect(buttonsIn((await open('approved=maybe')).text)).toEqual(['false', 'true']);
      for (const body of ['', 'field-0=maybe', 'approved=true'])
        expect((await click('approved=true', body)).status).toBe(400);
      expect(resumes()).toEqual([]);
    });

    it('shows nothing to programs that preview links', async () => {
      waiting({ callers: callerRules({ ignoreBots: true }), page }, 'QXNr-0');
      const preview = { 'user-agent': 'TelegramBot (like TwitterBot)' };
      const answer = await gateway.ask('GET', `${link}?approved=true`, { headers: preview });
      expect([answer.status, answer.text]).toEqual([403, expect.not.stringContaining('Step 2')]);
    });

    it.each([
      ['after a response', 'approved=true', ExecutionState.EXECUTION_STATE_SUCCESS, 409, 'no longer open'],
      ['after the time limit', 'approved=true&expires=1', ExecutionState.EXECUTION_STATE_SUCCESS, 410, 'has expired'],
      ['after the run was stopped', 'approved=true', ExecutionState.EXECUTION_STATE_CANCELLED, 410, 'was stopped'],
    ])('says so %s', async (_when, query, state, status, text) => {
      gateway.executions.trails.set(token, {
        polled: { executionId: 'e1', existing: true, response: undefined, ended: executionOf('e1', { state }) },
      });
      for (const answer of [await open(query), await click(query, 'field-0=true')])
        expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(text)]);
      expect(resumes()).toEqual([]);
    });

    it('is closed while the run waits for another response', async () => {
      waiting({}, 'T3RoZXI-0');
      expect((await click('approved=true', 'field-0=true')).status).toBe(409);
      expect(resumes()).toEqual([]);
    });

    it('is closed to the second of two clicks', async () => {
      asks();
      const answer = await click('approved=true', 'field-0=true');
      expect([answer.status, answer.text]).toEqual([409, expect.stringContaining('no longer open')]);
    });

    it('shows the end after a form, whatever the run does next', async () => {
      waiting({ leadsOn: false }, 'QXNr-0');
      gateway.executions.waits.set(token, {});
      const answer = await click('approved=true', 'field-0=x');
      expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('Response recorded')]);
    });
  });

  it('says that a stopped run was stopped', async () => {
    const ended = executionOf('e1', { state: ExecutionState.EXECUTION_STATE_CANCELLED });
    gateway.executions.trails.set(token, {
      polled: { executionId: 'e1', existing: true, response: undefined, ended },
    });
    expect((await gateway.ask('GET', `/form-waiting/${token}`)).text).toContain('This run was stopped');
  });

  it('is 404 for an unknown token', async () => {
    expect((await gateway.ask('GET', '/form-waiting/nobody-0123456789abcdef')).status).toBe(404);
    expect((await gateway.ask('GET', '/form-waiting/x')).status).toBe(404);
  });
});
