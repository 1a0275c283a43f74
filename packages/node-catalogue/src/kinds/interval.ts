import type { KindDescriptor } from '../descriptor';
import { withHelp } from './with-help';

const HELP = {
  interval: 'How many units lie between two runs.',
  unit: 'The unit of the interval.',
} as const;

/** The older form of a schedule that only counts time. */
export const interval: KindDescriptor = {
  kind: 'interval',
  label: 'Interval',
  description: 'Begins a run again and again, counted from activation. The older form of Schedule.',
  versions: [1],
  groups: ['trigger'],
  isTrigger: true,
  inputs: [],
  outputs: ['main'],
  credentials: [],
  parameters: withHelp(HELP, [
    { name: 'interval', label: 'Every', type: 'number', default: 1 },
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
