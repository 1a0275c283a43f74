import type { KindDescriptor } from '@weft/node-catalogue';
import { withHelp } from '../descriptors/with-help';

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'].map((label, value) => ({
  value,
  label,
}));
const timed = ['days', 'weeks', 'months'];

const HELP = {
  rule: 'Any number of rules; each starts separate runs.',
  'rule.interval.expression':
    'Five fields, six with seconds, or a nickname such as `@daily`. `H` is a value that stays the same for the node.',
  'rule.interval.triggerAtDay': '0 is Sunday.',
  'rule.interval.triggerAtDayOfMonth': '1 to 31; the last day in shorter months.',
  misfirePolicy: 'How to handle starts that could not be made in time.',
} as const;

const MISSED =
  'Set `settings.schedule.missed` of the workflow to "coalesce" instead; it applies to all of its schedules.';

/** Starts runs on a schedule. */
export const scheduleTrigger: KindDescriptor = {
  kind: 'scheduleTrigger',
  label: 'Schedule trigger',
  description: 'Starts a run at set times in the timezone of the workflow.',
  versions: [1, 1.1, 1.2, 1.3, 1.4],
  groups: ['trigger'],
  isTrigger: true,
  inputs: [],
  outputs: ['main'],
  credentials: [],
  differs: ['Rules cannot contain expressions: they are read before a run starts.'],
  parameters: withHelp(HELP, [
    {
      name: 'rule',
      label: 'Trigger rules',
      type: 'fixedCollection',
      multiple: true,
      default: { interval: [{ field: 'days' }] },
      groups: [
        {
          name: 'interval',
          label: 'Rule',
          fields: [
            {
              name: 'field',
              label: 'Trigger interval',
              type: 'options',
              default: 'days',
              options: [
                { value: 'seconds', label: 'Seconds' },
                { value: 'minutes', label: 'Minutes' },
                { value: 'hours', label: 'Hours' },
                { value: 'days', label: 'Days' },
                { value: 'weeks', label: 'Weeks' },
                { value: 'months', label: 'Months' },
                { value: 'cronExpression', label: 'Cron expression' },
              ],
            },
            {
              name: 'secondsInterval',
              label: 'Seconds between runs',
              type: 'number',
              default: 30,
              shownWhen: { field: ['seconds'] },
            },
            {
              name: 'minutesInterval',
              label: 'Minutes between runs',
              type: 'number',
              default: 5,
              shownWhen: { field: ['minutes'] },
            },
            {
              name: 'hoursInterval',
              label: 'Hours between runs',
              type: 'number',
              default: 1,
              shownWhen: { field: ['hours'] },
            },
            {
              name: 'daysInterval',
              label: 'Days between runs',
              type: 'number',
              default: 1,
              shownWhen: { field: ['days'] },
            },
            {
              name: 'weeksInterval',
              label: 'Weeks between runs',
              type: 'number',
              default: 1,
              shownWhen: { field: ['weeks'] },
            },
            {
              name: 'monthsInterval',
              label: 'Months between runs',
              type: 'number',
              default: 1,
              shownWhen: { field: ['months'] },
            },
            {
              name: 'triggerAtDayOfMonth',
              label: 'Day of the month',
              type: 'number',
              default: 1,
              shownWhen: { field: ['months'] },
            },
            {
              name: 'triggerAtDay',
              label: 'Days of the week',
              type: 'multiOptions',
              default: [0],
              options: WEEKDAYS,
              shownWhen: { field: ['weeks'] },
            },
            { name: 'triggerAtHour', label: 'Hour', type: 'number', default: 0, shownWhen: { field: timed } },
            {
              name: 'triggerAtMinute',
              label: 'Minute',
              type: 'number',
              default: 0,
              shownWhen: { field: ['hours', ...timed] },
            },
            {
              name: 'expression',
              label: 'Cron expression',
              type: 'string',
              default: '',
              required: true,
              shownWhen: { field: ['cronExpression'] },
              editor: 'cron',
              placeholder: '0 9 * * 1-5',
            },
          ],
        },
      ],
    },
    {
      name: 'misfirePolicy',
      label: 'If execution is missed',
      type: 'options',
      default: 'skip',
      since: 1.4,
      options: [
        { value: 'coalesce', label: 'Run the most recent missed execution per rule', refused: MISSED },
        { value: 'coalesce_owner', label: 'Run the most recent missed execution', refused: MISSED },
        { value: 'skip', label: 'Do not run missed executions' },
      ],
    },
    {
      name: 'misfireGraceSeconds',
      label: 'Missed execution grace period (seconds)',
      type: 'number',
      default: 0,
      since: 1.4,
      refused: 'The time after which a start counts as missed is set for the whole service.',
    },
  ]),
};
