import type { KindDescriptor } from '../descriptor';
import { withHelp } from './with-help';

const HELP = {
  interval: 'Number of units between two runs.',
  unit: 'The unit of the interval.',
} as const;

/** The older form of a schedule that only counts time. */
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
  parameters: withHelp(HELP, [
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
