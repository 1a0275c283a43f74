import type { KindDescriptor } from '../descriptor';
import { withHelp } from './with-help';

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'].map((label, value) => ({
  value: String(value),
  label,
}));

const HELP = {
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
  parameters: withHelp(HELP, [
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
