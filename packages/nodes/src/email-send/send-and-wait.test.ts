import type { JsonObject } from '@weft/node-catalogue';
import { type CallerRequest, decodeState, encodeState, type Resume } from '@weft/engine';
import { jsonOf, pass, runTest, type TestRun } from '@weft/engine/testing';
import { KIND_TABLE } from '../descriptors/kinds';
import { formWaitOf } from '../testing/caller-wait';
import { emailSend } from './executor';
import { type RecordingSender, recordingSender } from './testing/recording-sender';

const NOW = 1_700_000_000_000;
const node = { credentials: { smtp: { id: 'c1', name: 'Mail' } } };

const testOf = (
  sender: RecordingSender,
  parameters: JsonObject = {},
  over: Partial<TestRun> = {},
  typeVersion = 2.1,
): TestRun => ({
  kinds: KIND_TABLE,
  executors: { pass, emailSend },
  nodes: [
    ['S', 'pass'],
    [
      'Ask',
      'emailSend',
      {
        ...node,
        typeVersion,
        parameters: {
          operation: 'sendAndWait',
          fromEmail: 'from@example.com',
          toEmail: 'to@example.org',
          subject: 'May I?',
          message: 'Deploy <b>now</b>?',
          ...parameters,
        },
      },
    ],
    ['E', 'pass'],
  ],
  links: ['S>Ask', 'Ask>E'],
  input: [{ a: 1 }, { a: 2 }],
  now: NOW,
  publicUrl: 'https://weft.example',
  mail: sender,
  credential: { host: 'mail.example.com' },
  ...over,
});
const asked = async (parameters: JsonObject = {}, over: Partial<TestRun> = {}, typeVersion?: number) => {
  const sender = recordingSender();
  const test = testOf(sender, parameters, over, typeVersion);
  const paused = await runTest(test);
  if (paused.outcome.kind === 'error') throw new Error(paused.outcome.error.message);
  if (paused.outcome.kind !== 'waiting' || paused.outcome.wait.kind !== 'webhook')
    throw new Error('Expected the run to wait for a caller.');
  const request: CallerRequest = paused.outcome.wait;
  const state = decodeState(encodeState(paused.outcome.state));
  return {
    sender,
    request,
    goOn: (resumed?: Resume) =>
      runTest({ ...test, state, records: paused.records, ...(resumed === undefined ? {} : { resume: resumed }) }),
  };
};
const press = (body: JsonObject): Resume => ({
  kind: 'webhook',
  item: { json: { body, query: {}, submittedAt: '2026-01-01T00:00:00.000Z' } },
});
/** A click on a link of the previous release, which responded at once. */
const pressOld = (query: JsonObject): Resume => ({
  kind: 'webhook',
  item: { json: { headers: {}, params: {}, query, body: {} } },
});
const respondedAt = '2026-01-01T00:00:00.000Z';

describe('a mail that waits for a response', () => {
  it.each([2, 2.1])('has a button with the resume URL of the run (version %d)', async (version) => {
    const { sender, request } = await asked({}, {}, version);
    expect(sender.sent).toHaveLength(1);
    const mail = sender.sent[0]?.mail;
    const url = `https://weft.example/form-waiting/${request.token}/${request.settings.suffix}?approved=true`;
    expect(mail?.html).toContain(`<a href="${url}"`);
    expect(mail?.html).toContain('>Deploy <b>now</b>?<');
    expect(mail?.text).toBe(`Deploy now?\n\nApprove: ${url}\n`);
    expect(mail).toMatchObject({ from: 'from@example.com', to: 'to@example.org', subject: 'May I?', attachments: [] });
    expect(formWaitOf(request)).toMatchObject({
      callers: { authentication: 'none', ignoreBots: true },
      page: { title: 'May I?', description: 'Deploy <b>now</b>?' },
      choice: { buttons: [{ value: 'true', label: 'Approve' }] },
    });
    expect(request.at).toBeUndefined();
  });

  it('can have two buttons with custom labels', async () => {
    const { sender } = await asked({
      approvalOptions: { values: { approvalType: 'double', approveLabel: 'Go "now"', disapproveLabel: 'Stop' } },
    });
    const text = sender.sent[0]?.mail.text ?? '';
    expect(text.split('\n').slice(2, 4)).toEqual([
      expect.stringMatching(/^Stop: .*approved=false$/),
      expect.stringMatching(/^Go "now": .*approved=true$/),
    ]);
    expect(sender.sent[0]?.mail.html).toContain('>Go &quot;now&quot;</a>');
  });

  it.each([
    [press({ approved: 'true' }), true],
    [press({ approved: 'false' }), false],
    [pressOld({ approved: 'true' }), true],
    [pressOld({}), false],
  ])('outputs the response to %j', async (response, approved) => {
    const { sender, goOn } = await asked();
    const { outcome, records } = await goOn(response);
    expect(outcome.kind).toBe('success');
    expect(records.get('Ask')?.[0]?.data?.main?.[0]?.map(({ json }) => json)).toMatchObject([{ data: { approved } }]);
    expect(sender.sent).toHaveLength(1);
  });

  it('stops waiting after its time limit, and passes its items on', async () => {
    const { request, goOn } = await asked({
      options: { limitWaitTime: { values: { resumeAmount: 2, resumeUnit: 'hours' } } },
    });
    expect(request.at).toBe(NOW + 7_200_000);
    expect(jsonOf(await goOn({ kind: 'timer' }), 'E')).toEqual([{ a: 1 }, { a: 2 }]);
    expect((await asked({ options: { limitWaitTime: { values: {} } } })).request.at).toBe(NOW + 60 * 60_000);
    expect(
      (
        await asked({
          options: {
            limitWaitTime: { values: { limitType: 'atSpecifiedTime', maxDateAndTime: '2030-01-01T00:00:00' } },
          },
        })
      ).request.at,
    ).toBe(Date.UTC(2030, 0, 1));
  });

  it('is not sent again if the run resumes on another runner before the response', async () => {
    const { sender, request, goOn } = await asked({ options: { limitWaitTime: { values: { resumeAmount: 1 } } } });
    const { outcome } = await goOn();
    expect(outcome).toMatchObject({
      kind: 'waiting',
      wait: { token: request.token, at: request.at, settings: { suffix: request.settings.suffix } },
    });
    expect(sender.sent).toHaveLength(1);
  });

  it('has new buttons each time a loop reaches it', async () => {
    const sender = recordingSender();
    const test = testOf(sender, {}, { links: ['S>Ask', 'Ask>S'] });
    const first = await runTest(test);
    if (first.outcome.kind !== 'waiting') throw new Error('Expected the run to wait.');
    await runTest({
      ...test,
      state: first.outcome.state,
      records: first.records,
      resume: press({ approved: 'true' }),
    });
    const [one, other] = sender.sent.map(({ mail }) => mail);
    expect(one?.text).not.toBe(other?.text);
    expect(one?.messageId).not.toBe(other?.messageId);
  });

  describe('on a page', () => {
    const sent = (body: JsonObject): Resume => ({
      kind: 'webhook',
      item: { json: { body, query: {}, submittedAt: '2026-01-01T00:00:00.000Z' } },
    });

    it('asks for a string, and outputs it', async () => {
      const { sender, request, goOn } = await asked({
        responseType: 'freeText',
        options: { messageButtonLabel: 'Answer', responseFormTitle: 'Your words' },
      });
      expect(sender.sent[0]?.mail.text).toBe(
        'Deploy now?\n\nAnswer: ' +
          `https://weft.example/form-waiting/${request.token}/${request.settings.suffix}?approved=true\n`,
      );
      expect(formWaitOf(request).page).toMatchObject({
        title: 'Your words',
        description: 'Deploy <b>now</b>?',
        button: 'Submit',
        fields: [{ name: 'text', label: 'Response', type: 'textarea', required: true }],
      });
      const { records } = await goOn(sent({ text: 'Yes, please' }));
      expect(records.get('Ask')?.[0]?.data?.main?.[0]?.map(({ json }) => json)).toEqual([
        { data: { text: 'Yes, please', respondedAt } },
      ]);
    });

    it('asks for the fields of the node, and outputs their values', async () => {
      const { request, goOn } = await asked({
        responseType: 'customForm',
        formFields: {
          values: [
            { fieldLabel: 'When', fieldType: 'date', formatDate: 'dd.MM.yyyy' },
            { fieldLabel: 'Size', fieldType: 'number', requiredField: true },
          ],
        },
      });
      expect(formWaitOf(request).page).toMatchObject({
        title: 'May I?',
        fields: [
          { name: 'When', type: 'date' },
          { name: 'Size', type: 'number', required: true },
        ],
      });
      const { records } = await goOn(sent({ When: '2026-02-03', Size: 4 }));
      expect(records.get('Ask')?.[0]?.data?.main?.[0]?.map(({ json }) => json)).toEqual([
        { data: { When: '03.02.2026', Size: 4, respondedAt } },
      ]);
    });

    it('can have its fields as JSON', async () => {
      const { request } = await asked({
        responseType: 'customForm',
        defineForm: 'json',
        jsonOutput: '[{"fieldLabel":"A"}]',
      });
      expect(formWaitOf(request).page).toMatchObject({ fields: [{ name: 'A', type: 'text' }] });
    });
  });

  it.each<[string, JsonObject, Partial<TestRun>, RegExp]>([
    ['asks for an unknown response type', { responseType: 'handshake' }, {}, /"handshake", which is not supported/],
    [
      'has invalid fields',
      { responseType: 'customForm', defineForm: 'json', jsonOutput: '{}' },
      {},
      /not a JSON array of objects/,
    ],
    ['has no recipient', { toEmail: '' }, {}, /no recipient/],
  ])('fails if it %s', async (_what, parameters, over, message) => {
    await expect(asked(parameters, over)).rejects.toThrow(message);
  });

  it('fails if the run has no resume URL', async () => {
    const { publicUrl: _publicUrl, ...test } = testOf(recordingSender());
    expect((await runTest(test)).outcome).toMatchObject({
      kind: 'error',
      error: { message: expect.stringContaining('PUBLIC_URL') },
    });
  });
});
