import type { KindDescriptor } from '@weft/node-catalogue';
import { withHelp } from '../descriptors/with-help';

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'].map((label, value) => ({
  value: String(value),
  label,
}));

const CRON_HELP = {
  triggerTimes: 'Any number of times; each starts a run.',
  'triggerTimes.item.cronExpression': 'Five fields, or six with seconds.',
} as const;

/** The older form of a schedule. */
export const cron: KindDescriptor = {
  kind: 'cron',
  label: 'Cron',
  description: 'Starts a run at set times. Superseded by Schedule Trigger.',
  versions: [1, 1.1, 2],
  groups: ['trigger'],
  isTrigger: true,
  inputs: [],
  outputs: ['main'],
  credentials: [],
  parameters: withHelp(CRON_HELP, [
    {
      name: 'triggerTimes',
      label: 'Times',
      type: 'fixedCollection',
      multiple: true,
      default: { item: [{ mode: 'everyDay' }] },
      groups: [
        {
          name: 'item',
          label: 'Time',
          fields: [
            {
              name: 'mode',
              label: 'Mode',
              type: 'options',
              default: 'everyDay',
              options: [
                { value: 'everyMinute', label: 'Every minute' },
                { value: 'everyHour', label: 'Every hour' },
                { value: 'everyDay', label: 'Every day' },
                { value: 'everyWeek', label: 'Every week' },
                { value: 'everyMonth', label: 'Every month' },
                { value: 'everyX', label: 'Every X' },
                { value: 'custom', label: 'Cron expression' },
              ],
            },
            {
              name: 'hour',
              label: 'Hour',
              type: 'number',
              default: 14,
              shownWhen: { mode: ['everyDay', 'everyWeek', 'everyMonth'] },
            },
            {
              name: 'minute',
              label: 'Minute',
              type: 'number',
              default: 0,
              shownWhen: { mode: ['everyHour', 'everyDay', 'everyWeek', 'everyMonth'] },
            },
            {
              name: 'dayOfMonth',
              label: 'Day of the month',
              type: 'number',
              default: 1,
              shownWhen: { mode: ['everyMonth'] },
            },
            {
              name: 'weekday',
              label: 'Day of the week',
              type: 'options',
              default: '1',
              options: WEEKDAYS,
              shownWhen: { mode: ['everyWeek'] },
            },
            {
              name: 'cronExpression',
              label: 'Cron expression',
              type: 'string',
              default: '* * * * * *',
              shownWhen: { mode: ['custom'] },
            },
            { name: 'value', label: 'Value', type: 'number', default: 2, shownWhen: { mode: ['everyX'] } },
            {
              name: 'unit',
              label: 'Unit',
              type: 'options',
              default: 'hours',
              shownWhen: { mode: ['everyX'] },
              options: [
                { value: 'minutes', label: 'Minutes' },
                { value: 'hours', label: 'Hours' },
              ],
            },
          ],
        },
      ],
    },
  ]),
};

const INTERVAL_HELP = {
  interval: 'Number of units between two runs.',
  unit: 'The unit of the interval.',
} as const;

/** The older form of a schedule with intervals only. */
export const interval: KindDescriptor = {
  kind: 'interval',
  label: 'Interval',
  description: 'Starts a run at a fixed interval from activation. Superseded by Schedule Trigger.',
  versions: [1],
  groups: ['trigger'],
  isTrigger: true,
  inputs: [],
  outputs: ['main'],
  credentials: [],
  parameters: withHelp(INTERVAL_HELP, [
    { name: 'interval', label: 'Interval', type: 'number', default: 1 },
    {
      name: 'unit',
      label: 'Unit',
      type: 'options',
      default: 'seconds',
      options: [
        { value: 'seconds', label: 'Seconds' },
        { value: 'minutes', label: 'Minutes' },
        { value: 'hours', label: 'Hours' },
      ],
    },
  ]),
};
