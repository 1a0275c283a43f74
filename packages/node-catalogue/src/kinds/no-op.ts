import type { KindDescriptor } from '../descriptor';

/** Passes items on. */
export const noOp: KindDescriptor = {
  kind: 'noOp',
  label: 'No operation, do nothing',
  description: 'Passes every item on unchanged.',
  versions: [1],
  groups: ['flow'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  parameters: [],
};
