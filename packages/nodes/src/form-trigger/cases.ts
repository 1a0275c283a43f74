import type { JsonObject } from '@weft/node-catalogue';
import type { KindCases, NodeCase } from '../testing/cases/node-case';

const submittedAt = '2026-03-01T12:00:00.000Z';
const inZone = '2026-03-01T13:00:00.000+01:00';
const sent: JsonObject = { submittedAt, query: {}, body: { Name: 'Ada' } };
const run: NodeCase['run'] = {
  isStart: true,
  mode: 'webhook',
  timezone: 'Europe/Berlin',
  items: [sent],
  parameters: { formFields: { values: [{ fieldLabel: 'Name' }] } },
};

/** The cases of Form trigger within a run. */
export const formTriggerCases: KindCases = {
  kind: 'formTrigger',
  cases: [
    {
      it: 'outputs the submission, with the time in UTC',
      versions: [1, 2],
      run,
      gives: [[{ Name: 'Ada', submittedAt, formMode: 'production' }]],
    },
    {
      it: 'outputs the submission, with the time in the zone of the workflow',
      versions: [2.1, 2.2, 2.3, 2.4, 2.5, 2.6],
      run,
      gives: [[{ Name: 'Ada', submittedAt: inZone, formMode: 'production' }]],
    },
  ],
};
