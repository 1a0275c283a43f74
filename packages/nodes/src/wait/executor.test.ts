import { createHash } from 'node:crypto';
import type { JsonObject } from '@weft/node-catalogue';
import { type CallerRequest, decodeState, encodeState, type HttpResponse, type Resume } from '@weft/engine';
import { jsonOf, pass, runTest, type TestResult, type TestRun } from '@weft/engine/testing';
import { KIND_TABLE } from '../descriptors/kinds';
import { webhookWaitOf } from '../testing/caller-wait';
import { wait } from './executor';

const NOW = 1_700_000_000_000;
const HOUR = 3_600_000;

const testOf = (parameters: JsonObject, typeVersion = 1.1, over: Partial<TestRun> = {}): TestRun => ({
  kinds: KIND_TABLE,
  executors: { pass, wait },
  nodes: [
    ['S', 'pass'],
    ['Wait', 'wait', { parameters, typeVersion }],
    ['E', 'pass'],
  ],
  links: ['S>Wait', 'Wait>E'],
  input: [{ a: 1 }, { a: 2 }],
  now: NOW,
  ...over,
});
/** The wait request of the node. */
const waitRequestOf = async (parameters: JsonObject, version?: number, over?: Partial<TestRun>) => {
  const { outcome } = await runTest(testOf(parameters, version, over));
  if (outcome.kind === 'error') throw new Error(outcome.error.message);
  return outcome.kind === 'waiting' ? outcome.wait : undefined;
};
const callerRequest = async (parameters: JsonObject, version?: number): Promise<CallerRequest> => {
  const request = await waitRequestOf({ resume: 'webhook', ...parameters }, version);
  if (request?.kind !== 'webhook') throw new Error('Expected the run to wait for a caller.');
  return request;
};
/** Waits, is stored, and continues. */
const after = async (parameters: JsonObject, resumed?: Resume, over: Partial<TestRun> = {}) => {
  const test = testOf(parameters);
  const paused = await runTest(test);
  if (paused.outcome.kind !== 'waiting') throw new Error('Expected the run to wait.');
  return runTest({
    ...test,
    state: decodeState(encodeState(paused.outcome.state)),
    records: paused.records,
    ...(resumed === undefined ? {} : { resume: resumed }),
    ...over,
  });
};

describe('wait for a time', () => {
  it.each([
    [1, NOW + HOUR],
    [1.1, NOW + 5_000],
  ])('version %s has a different default', async (version, at) => {
    expect(await waitRequestOf({}, version)).toEqual({ kind: 'timer', at });
  });

  it.each([
    ['seconds', 1_000],
    ['minutes', 60_000],
    ['hours', HOUR],
    ['days', 24 * HOUR],
  ])('counts %s', async (unit, ms) => {
    expect(await waitRequestOf({ amount: 1.5, unit })).toEqual({ kind: 'timer', at: NOW + 1.5 * ms });
  });

  it('reads an amount from an expression over the first item, and a number from a string', async () => {
    expect(await waitRequestOf({ amount: '={{ $json.a + 1 }}', unit: 'minutes' })).toEqual({
      kind: 'timer',
      at: NOW + 120_000,
    });
    expect(await waitRequestOf({ amount: '3', unit: 'seconds' })).toEqual({ kind: 'timer', at: NOW + 3_000 });
  });

  it.each([[-1], ['={{ 0/0 }}'], ['soon'], ['={{ $json.nothing }}'], ['={{ [1] }}']])(
    'rejects the amount %j',
    async (amount) => {
      await expect(waitRequestOf({ amount, unit: 'seconds' })).rejects.toThrow('Invalid wait amount');
    },
  );

  it('rejects an excessive wait, and an unknown unit', async () => {
    await expect(waitRequestOf({ amount: 1e9, unit: 'days' })).rejects.toThrow('longer than 100 years');
    await expect(waitRequestOf({ amount: 1, unit: 'weeks' })).rejects.toThrow(
      'Supported: seconds, minutes, hours, days',
    );
  });

  it('reads a moment in the zone of the workflow, unless it includes one', async () => {
    const zoned = { definition: { settings: { timezone: 'America/New_York' } } };
    const at = async (dateTime: string) => waitRequestOf({ resume: 'specificTime', dateTime }, 1.1, zoned);
    expect(await at('2030-01-31T15:00:00')).toEqual({ kind: 'timer', at: Date.UTC(2030, 0, 31, 20) });
    expect(await at('2030-01-31T15:00:00+01:00')).toEqual({ kind: 'timer', at: Date.UTC(2030, 0, 31, 14) });
    expect(await at('={{ $now.plus({ days: 1 }) }}')).toEqual({ kind: 'timer', at: NOW + 24 * HOUR });
  });

  it('does not wait for a past moment, and rejects an invalid one', async () => {
    expect(await waitRequestOf({ resume: 'specificTime', dateTime: '2001-01-01T00:00:00Z' })).toBeUndefined();
    await expect(waitRequestOf({ resume: 'specificTime', dateTime: 'tomorrow' })).rejects.toThrow(
      'Invalid date and time',
    );
    await expect(waitRequestOf({ resume: 'specificTime' })).rejects.toThrow('Invalid date and time');
  });

  it('passes its items on when the time is over, each linked to itself', async () => {
    const { records, outcome } = await after({}, { kind: 'timer' });
    expect(records.get('Wait')?.[0]?.data?.main).toEqual([
      [
        { json: { a: 1 }, pairedItem: { item: 0 } },
        { json: { a: 2 }, pairedItem: { item: 1 } },
      ],
    ]);
    expect(outcome.kind).toBe('success');
  });

  it('does not restart when its runner dies during the wait', async () => {
    expect((await after({}, undefined, { now: NOW + 3_000 })).outcome).toMatchObject({
      kind: 'waiting',
      wait: { kind: 'timer', at: NOW + 5_000 },
    });
    expect((await after({}, undefined, { now: NOW + 5_000 })).outcome.kind).toBe('success');
  });

  it('counts the wait as execution time, whichever runner continues the run', async () => {
    const { records } = await after({}, { kind: 'timer' }, { now: NOW + 6_000 });
    expect(records.get('Wait')?.[0]).toMatchObject({ startTime: NOW, executionTime: 6_000 });
    expect(records.get('E')?.[0]).toMatchObject({ startTime: NOW + 6_000, executionTime: 0 });
  });

  it('starts again each time a loop reaches it', async () => {
    const test = testOf({}, 1.1, {
      links: ['S>Wait', 'Wait>S'],
      nodes: [
        ['S', 'pass'],
        ['Wait', 'wait', { parameters: {}, typeVersion: 1.1 }],
      ],
    });
    const first = await runTest(test);
    if (first.outcome.kind !== 'waiting') throw new Error('Expected the run to wait.');
    const second = await runTest({
      ...test,
      state: first.outcome.state,
      records: first.records,
      resume: { kind: 'timer' },
      now: NOW + HOUR,
    });
    expect(second.outcome).toMatchObject({ kind: 'waiting', wait: { kind: 'timer', at: NOW + HOUR + 5_000 } });
  });
});

describe('wait for a call', () => {
  it('waits indefinitely at the URL that expressions see, with its suffix', async () => {
    const test = testOf({ resume: 'webhook', options: { webhookSuffix: '=/pay/{{ $json.a }}/' } });
    const urls: unknown[] = [];
    const spy: typeof pass = (context) => {
      urls.push(context.scope(0).execution.resumeUrl, context.scope(0).execution.resumeFormUrl);
      return pass(context);
    };
    const { outcome } = await runTest({ ...test, executors: { pass: spy, wait }, publicUrl: 'https://weft.example/' });
    if (outcome.kind !== 'waiting' || outcome.wait.kind !== 'webhook') throw new Error('Expected a wait for a caller.');
    const { token, settings, at } = outcome.wait;
    expect(urls).toEqual([
      `https://weft.example/webhook-waiting/${token}`,
      `https://weft.example/form-waiting/${token}`,
    ]);
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect([settings.channel?.$case, settings.suffix, at]).toEqual(['webhook', 'pay/1', undefined]);
  });

  it('has a unique token, which is stable within the run', async () => {
    const [one, other] = [await callerRequest({}), await callerRequest({})];
    expect(one.token).not.toBe(other.token);
    expect(createHash('sha256').update(one.token).digest('hex')).toHaveLength(64);
    const test = testOf({ resume: 'webhook' }, 1.1, {
      links: ['S>Wait', 'Wait>S'],
      nodes: [
        ['S', 'pass'],
        ['Wait', 'wait', { parameters: { resume: 'webhook' }, typeVersion: 1.1 }],
      ],
    });
    const first = await runTest(test);
    if (first.outcome.kind !== 'waiting') throw new Error('Expected the run to wait.');
    const second = await runTest({
      ...test,
      state: decodeState(encodeState(first.outcome.state)),
      records: first.records,
      resume: { kind: 'webhook', item: { json: {} } },
    });
    expect(
      second.outcome.kind === 'waiting' && second.outcome.wait.kind === 'webhook' ? second.outcome.wait.token : '',
    ).toBe(first.outcome.wait.kind === 'webhook' ? first.outcome.wait.token : 'none');
  });

  it('configures how to receive callers and respond to them, with expressions resolved', async () => {
    const request = await callerRequest({
      httpMethod: '={{ "PUT" }}',
      incomingAuthentication: 'headerAuth',
      responseMode: 'lastNode',
      responseData: 'allEntries',
      responseCode: 201,
      options: {
        ipWhitelist: '={{ "10.0.0.0/8, 192.168.1.7" }}',
        ignoreBots: true,
        responseHeaders: { entries: [{ name: 'x-a', value: '={{ $json.a }}' }] },
      },
    });
    expect(webhookWaitOf(request)).toMatchObject({
      methods: ['PUT'],
      settings: {
        callers: { authentication: 'headerAuth', ipWhitelist: ['10.0.0.0/8', '192.168.1.7'], ignoreBots: true },
        responseMode: 'lastNode',
        responseCode: 201,
      },
    });
    expect(request.answer).toMatchObject({ responseMode: 'lastNode', responseData: 'allEntries', responseCode: 201 });
    expect(webhookWaitOf(await callerRequest({}))).toMatchObject({
      methods: ['GET'],
      settings: { callers: { authentication: 'none' }, responseMode: 'onReceived', responseCode: 200 },
    });
  });

  it('accepts files like a webhook of its version', async () => {
    const request = await callerRequest({ options: { binaryPropertyName: 'pic', rawBody: true } });
    expect(webhookWaitOf(request).settings).toMatchObject({ wholeBody: 'other', fileProperty: 'pic', rawBody: true });
  });

  it('stores the whole body as a file in version 1 if configured', async () => {
    const request = await callerRequest({ httpMethod: 'POST', options: { binaryData: true, rawBody: true } }, 1);
    expect(webhookWaitOf(request).settings).toMatchObject({ wholeBody: 'always', rawBody: true });
  });

  it('rejects every caller if the authentication is unknown', async () => {
    const request = await callerRequest({ incomingAuthentication: 'telepathy' });
    expect(webhookWaitOf(request).settings?.callers?.authentication).toBe('unsupported');
  });

  it('stops waiting at its limit: after a duration, or at a moment', async () => {
    expect((await callerRequest({ limitWaitTime: true })).at).toBe(NOW + HOUR);
    expect((await callerRequest({ limitWaitTime: true, resumeAmount: 2, resumeUnit: 'minutes' })).at).toBe(
      NOW + 120_000,
    );
    expect(
      (
        await callerRequest({
          limitWaitTime: true,
          limitType: 'atSpecifiedTime',
          maxDateAndTime: '2030-01-01T00:00:00',
        })
      ).at,
    ).toBe(Date.UTC(2030, 0, 1));
    await expect(callerRequest({ limitWaitTime: true, resumeAmount: -1 })).rejects.toThrow('Invalid wait amount');
  });

  it('continues with the call as its item, or with its input items without a call', async () => {
    const call = { headers: { a: 'b' }, params: {}, query: {}, body: { n: 1 } };
    expect(jsonOf(await after({ resume: 'webhook' }, { kind: 'webhook', item: { json: call } }), 'E')).toEqual([call]);
    expect(jsonOf(await after({ resume: 'webhook', limitWaitTime: true }, { kind: 'timer' }), 'E')).toEqual([
      { a: 1 },
      { a: 2 },
    ]);
  });

  it('responds to a call that does not meet its condition, and keeps waiting at the same URL and limit', async () => {
    const parameters = {
      resume: 'webhook',
      limitWaitTime: true,
      options: { onlyRunIf: '={{ $json.body.n === 2 }}' },
    };
    const call = (n: number): Resume => ({ kind: 'webhook', item: { json: { body: { n } } } });
    const answers: HttpResponse[] = [];
    const respond = (answer: HttpResponse) => Promise.resolve(answers.push(answer) > 0);
    const first = await runTest(testOf(parameters));
    if (first.outcome.kind !== 'waiting') throw new Error('Expected the run to wait.');
    const goOn = ({ outcome, records }: TestResult, resume: Resume) => {
      if (outcome.kind !== 'waiting') throw new Error('Expected the run to wait.');
      const state = decodeState(encodeState(outcome.state));
      return runTest({ ...testOf(parameters), state, records, resume, respond, now: NOW + 1_000 });
    };
    const refused = await goOn(first, call(1));
    expect(answers).toMatchObject([{ status: 200, body: '{"message":"Webhook call received"}' }]);
    expect(refused.order).toEqual(['S']);
    expect(refused.outcome).toMatchObject({ kind: 'waiting', wait: first.outcome.wait });
    expect(jsonOf(await goOn(refused, call(2)), 'E')).toEqual([{ body: { n: 2 } }]);
    expect(jsonOf(await goOn(refused, { kind: 'timer' }), 'E')).toEqual([{ a: 1 }, { a: 2 }]);
    expect(answers).toHaveLength(1);
  });

  it('resumes by any call if its condition cannot be evaluated', async () => {
    const parameters = { resume: 'webhook', options: { onlyRunIf: "={{ $('Nobody').item.json.x }}" } };
    const resumed = await after(parameters, { kind: 'webhook', item: { json: { body: 1 } } });
    expect(jsonOf(resumed, 'E')).toEqual([{ body: 1 }]);
  });

  it('rejects an invalid URL suffix', async () => {
    await expect(callerRequest({ options: { webhookSuffix: 'a?b' } })).rejects.toThrow('cannot be used');
    await expect(callerRequest({ options: { webhookSuffix: 'x'.repeat(201) } })).rejects.toThrow('cannot be used');
  });
});
