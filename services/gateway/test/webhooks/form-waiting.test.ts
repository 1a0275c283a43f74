import type { FormWait } from '@weft/proto/channels';
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

  it('is 404 for an unknown token', async () => {
    expect((await gateway.ask('GET', '/form-waiting/nobody-0123456789abcdef')).status).toBe(404);
    expect((await gateway.ask('GET', '/form-waiting/x')).status).toBe(404);
  });
});
