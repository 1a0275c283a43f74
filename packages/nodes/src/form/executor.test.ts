import type { JsonObject } from '@weft/node-catalogue';
import type { Item, NodeExecutor } from '@weft/engine';
import { runTest, type TestResult, type TestRun } from '@weft/engine/testing';
import { KIND_TABLE } from '../descriptors/kinds';
import { formTrigger } from '../form-trigger/executor';
import { formWaitOf } from '../testing/caller-wait';
import { wait } from '../wait/executor';
import { form } from './executor';

const trigger: JsonObject = {
  parameters: { formTitle: 'First', formDescription: 'Hello', options: { buttonLabel: 'Go' } },
};
const test = (kind: 'form' | 'wait', parameters: JsonObject, typeVersion = kind === 'form' ? 2.4 : 1.1): TestRun => ({
  kinds: KIND_TABLE,
  executors: { formTrigger, form, wait },
  nodes: [
    ['T', 'formTrigger', trigger],
    ['P', kind, { typeVersion, parameters }],
  ],
  links: ['T>P'],
  mode: 'webhook',
  input: [{ submittedAt: '2026-01-01T00:00:00.000Z', query: {}, body: { Name: 'Ada' } }],
  now: 1_000_000,
});
const waitOf = ({ outcome }: TestResult) => {
  if (outcome.kind !== 'waiting' || outcome.wait.kind !== 'webhook')
    throw new Error('Expected the run to wait for a caller.');
  return { state: outcome.state, request: outcome.wait };
};
const fields = {
  formFields: {
    values: [
      {
        fieldLabel: 'Size',
        fieldName: 'size',
        fieldType: 'dropdown',
        fieldOptions: { values: [{ option: '={{ $json.Name }}' }, { option: 'M' }] },
      },
    ],
  },
};
const resumeWith = async (run: TestRun, resumed: NonNullable<TestRun['resume']>) => {
  const paused = await runTest(run);
  return runTest({ ...run, state: waitOf(paused).state, records: paused.records, resume: resumed });
};
const outputOf = (result: TestResult) => result.records.get('P')?.[0]?.data?.main?.[0]?.map((item) => item.json);

describe('a page within a run', () => {
  it(
    'waits for a form with its fields, its title, the button and styles of the first page, and tells the ' +
      'browser its URL',
    async () => {
      const { request } = waitOf(await runTest(test('form', fields)));
      expect(request.settings.suffix).toBe('');
      expect(formWaitOf(request)).toMatchObject({
        callers: { authentication: 'none' },
        page: {
          title: 'First',
          description: '',
          button: 'Go',
          fields: [{ name: 'size', label: 'Size', type: 'dropdown', options: ['Ada', 'M'] }],
        },
      });
      expect(JSON.parse(String(request.announce?.body))).toEqual({ kind: 'page', token: request.token });
      expect(request.at).toBeUndefined();
    },
  );

  it('uses its styles if it has any, and fields from JSON', async () => {
    const { request } = waitOf(
      await runTest(
        test('form', {
          defineForm: 'json',
          jsonOutput: '[{"fieldLabel":"Age","fieldType":"number"}]',
          options: { formTitle: '={{ $json.Name }}' },
        }),
      ),
    );
    expect(formWaitOf(request).page).toMatchObject({ title: 'Ada', fields: [{ label: 'Age', type: 'number' }] });
  });

  it('accepts the options of JSON fields as an array too', async () => {
    const jsonOutput = '[{ fieldLabel: "Size", fieldType: "radio", fieldOptions: [{ option: "S" }, { option: "M" }] }]';
    const { request } = waitOf(await runTest(test('form', { defineForm: 'json', jsonOutput })));
    expect(formWaitOf(request).page?.fields).toMatchObject([{ name: 'Size', type: 'radio', options: ['S', 'M'] }]);
  });

  it.each([
    ['{"a":1}', 'The fields of the form are not a JSON array of objects'],
    ['nonsense', 'The fields of the form are not a JSON array of objects'],
    ['[1]', 'The fields of the form are not a JSON array of objects'],
    ['[{"fieldLabel":"A"},{"label":"B"}]', "Key 'label' in field 1 is not valid for form fields"],
    ['[{"fieldType":"colour"}]', "Field type 'colour' in field 0 is not valid for form fields"],
    ['[{"fieldType":"radio","fieldOptions":{"values":["a"]}}]', 'The options of field 0 are not valid'],
  ])('fails if its fields are %s', async (jsonOutput, message) => {
    const { outcome } = await runTest(test('form', { defineForm: 'json', jsonOutput }));
    expect(outcome).toMatchObject({ kind: 'error', error: { message } });
  });

  it('fills in its fields initially from the query of the first page', async () => {
    const run = {
      ...test('form', {
        formFields: {
          values: [
            { fieldLabel: 'Team', defaultValue: 'red' },
            { fieldLabel: 'Key', fieldType: 'password' },
          ],
        },
      }),
      input: [{ submittedAt: '2026-01-01T00:00:00.000Z', query: { Team: 'blue', Key: 'k' }, body: { Name: 'Ada' } }],
    };
    expect(formWaitOf(waitOf(await runTest(run)).request).page?.fields.map(({ initial }) => initial)).toEqual([
      'blue',
      '',
    ]);
  });

  it.each([
    [2.4, {}, '2026-03-01T13:00:00.000+01:00'],
    [2.4, { useWorkflowTimezone: false }, '2026-03-01T12:00:00.000Z'],
    [2, {}, '2026-03-01T12:00:00.000Z'],
    [2, { useWorkflowTimezone: true }, '2026-03-01T13:00:00.000+01:00'],
  ])('shows its time in the zone that trigger %d uses with options %j', async (typeVersion, options, submittedAt) => {
    const item = { json: { submittedAt: '2026-03-01T12:00:00.000Z', query: {}, body: { size: 'M' } } };
    const run: TestRun = {
      ...test('form', fields),
      nodes: [
        ['T', 'formTrigger', { typeVersion, parameters: { options } }],
        ['P', 'form', { typeVersion: 2.4, parameters: fields }],
      ],
      definition: { settings: { timezone: 'Europe/Berlin' } },
    };
    expect(outputOf(await resumeWith(run, { kind: 'webhook', item }))).toMatchObject([{ submittedAt }]);
  });

  it('offers files of the nearest nodes that have any', async () => {
    const told: unknown[] = [];
    const file = (id: string) => ({ id, mimeType: 'text/plain', fileName: `${id}.txt`, fileSize: '1 B', bytes: 1 });
    const giving =
      (binary: Item['binary']): NodeExecutor['run'] =>
      () => ({
        kind: 'items',
        outputs: [[{ json: {}, ...(binary === undefined ? {} : { binary }) }]],
      });
    const parameters = { operation: 'completion', respondWith: 'returnBinary', inputDataFieldName: 'a, b' };
    const { outcome } = await runTest({
      kinds: KIND_TABLE,
      executors: {
        formTrigger,
        form,
        far: giving({ a: file('a1'), b: file('b1') }),
        near: giving({ a: file('a2') }),
        none: giving(undefined),
      },
      nodes: [
        ['T', 'formTrigger', trigger],
        ['Far', 'far'],
        ['Near', 'near'],
        ['None', 'none'],
        ['P', 'form', { typeVersion: 2.4, parameters }],
      ],
      links: ['T>Far', 'Far>Near', 'Near>None', 'None>P'],
      respond: (response) => Promise.resolve(told.push(JSON.parse(String(response.body))) > 0),
    });
    expect(outcome.kind).toBe('success');
    expect(told).toMatchObject([{ kind: 'file', files: [{ fileId: 'a2' }, { fileId: 'b1', fileName: 'b1.txt' }] }]);
  });

  it('must not follow the end of the form', async () => {
    const { outcome } = await runTest({
      ...test('form', { operation: 'completion' }),
      nodes: [
        ['T', 'formTrigger', trigger],
        ['P', 'form', { typeVersion: 2.4, parameters: { operation: 'completion', completionTitle: 'Bye' } }],
        ['Q', 'form', { typeVersion: 2.4, parameters: fields }],
      ],
      links: ['T>P', 'P>Q'],
    });
    expect(outcome).toMatchObject({
      kind: 'error',
      error: { message: 'Completion has to be the last Form node in the workflow' },
    });
  });

  it.each([1, 2.3, 2.4, 2.5])('version %d outputs its submission', async (version) => {
    const item = { json: { submittedAt: '2026-03-01T12:00:00.000Z', query: {}, body: { size: 'M' } } };
    const result = await resumeWith(test('form', fields, version), { kind: 'webhook', item });
    expect(outputOf(result)).toEqual([{ size: 'M', submittedAt: '2026-03-01T12:00:00.000Z', formMode: 'production' }]);
    expect(result.outcome.kind).toBe('success');
  });

  it('continues with its input items if it is not submitted in time', async () => {
    const limited = test('form', { ...fields, limitWaitTime: true, resumeAmount: 2, resumeUnit: 'minutes' });
    expect(waitOf(await runTest(limited)).request.at).toBe(1_120_000);
    expect(outputOf(await resumeWith(limited, { kind: 'timer' }))).toMatchObject([
      { Name: 'Ada', formMode: 'production' },
    ]);
  });

  it('is shown by a Wait node as well, with a password if one is set', async () => {
    const run = test('wait', {
      resume: 'form',
      formTitle: 'Approve?',
      ...fields,
      incomingAuthentication: 'basicAuth',
      options: { webhookSuffix: 'ok', respondWithOptions: { values: { formSubmittedText: 'Thanks' } } },
    });
    const { request } = waitOf(await runTest(run));
    expect(request.settings.suffix).toBe('ok');
    expect(formWaitOf(request)).toMatchObject({
      callers: { authentication: 'basicAuth' },
      page: { title: 'Approve?' },
      leadsOn: false,
      end: { end: { $case: 'text', value: 'Thanks' } },
    });
    const item = { json: { submittedAt: '2026-03-01T12:00:00.000Z', query: {}, body: { Size: 'M' } } };
    expect(outputOf(await resumeWith(run, { kind: 'webhook', item }))).toMatchObject([
      { Size: 'M', formMode: 'production' },
    ]);
  });
});
