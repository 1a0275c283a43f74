import type { ParameterDescriptor } from '@weft/node-catalogue';

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'].map((label, value) => ({
  value: String(value),
  label,
}));

/**
 * Times of a trigger, in the form that the older schedule and polling triggers share.
 * @param mode the mode of the default time
 */
export function clockTimes(name: string, label: string, mode: string): ParameterDescriptor {
  return {
    name,
    label,
    type: 'fixedCollection',
    multiple: true,
    default: { item: [{ mode }] },
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
            editor: 'cron',
            placeholder: '0 9 * * 1-5',
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
  };
}

/** When a polling trigger polls its server. */
export const POLL_TIMES: ParameterDescriptor = {
  ...clockTimes('pollTimes', 'Poll times', 'everyMinute'),
  help: 'When the server is polled while the workflow is active. Any number of times, at most once a minute.',
};
