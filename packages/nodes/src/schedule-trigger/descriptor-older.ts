import type { KindDescriptor } from '@weft/node-catalogue';
import { clockTimes } from '../descriptors/clock-times';
import { withHelp } from '../descriptors/with-help';

const CRON_HELP = {
  triggerTimes: 'Any number of times; each starts a run.',
  'triggerTimes.item.cronExpression':
    'Five fields, six with seconds, or a nickname such as `@daily`. `H` is a value that stays the same for the node.',
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
  parameters: withHelp(CRON_HELP, [clockTimes('triggerTimes', 'Times', 'everyDay')]),
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
