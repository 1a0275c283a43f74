import type { JsonObject } from '@weft/node-catalogue';
import { outputOf, type KindRun } from '../testing/cases/run-kind';

const submittedAt = '2026-03-01T12:00:00.000Z';
const formFields = {
  values: [
    { fieldLabel: 'Name' },
    { fieldLabel: 'Day', fieldType: 'date', formatDate: 'dd.MM.yyyy' },
    { fieldLabel: '__proto__' },
  ],
};
const submit = (json: JsonObject, over: KindRun = {}) =>
  outputOf('formTrigger', {
    isStart: true,
    mode: 'webhook',
    version: 2.2,
    timezone: 'Europe/Berlin',
    items: [{ submittedAt, query: {}, ...json }],
    parameters: { formFields },
    ...over,
  });

describe('formTrigger', () => {
  it.each([1, 2, 2.1, 2.2, 2.3, 2.4, 2.5, 2.6])(
    'version %d outputs the values, and the time and mode of the submission',
    async (version) => {
      expect(await submit({ body: { Name: 'Ada' } }, { version })).toEqual([
        {
          Name: 'Ada',
          submittedAt: version > 2 ? '2026-03-01T13:00:00.000+01:00' : submittedAt,
          formMode: 'production',
        },
      ]);
    },
  );

  it('uses the zone of the workflow if the option is set', async () => {
    expect(await submit({ body: {} }, { parameters: { options: { useWorkflowTimezone: false } } })).toMatchObject([
      { submittedAt },
    ]);
    expect(
      await submit({ body: {} }, { version: 1, parameters: { options: { useWorkflowTimezone: true } } }),
    ).toMatchObject([{ submittedAt: '2026-03-01T13:00:00.000+01:00' }]);
  });

  it('formats dates in the format of their field, and includes the query of the page', async () => {
    expect(await submit({ body: { Day: '2026-02-03' }, query: { ref: 'mail' } })).toMatchObject([
      { Day: '03.02.2026', formQueryParameters: { ref: 'mail' } },
    ]);
  });

  it('treats a field named like a built-in property of objects as data', async () => {
    const body: JsonObject = JSON.parse('{"__proto__":"x"}');
    expect(JSON.stringify(await submit({ body }))).toContain('"__proto__":"x"');
  });

  it('outputs the data of the call when started manually', async () => {
    expect(await outputOf('formTrigger', { isStart: true, items: [{ Name: 'Test' }] })).toEqual([{ Name: 'Test' }]);
  });
});
