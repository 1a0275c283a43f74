import type { KindDescriptor } from '@weft/node-catalogue';
import { choice } from '../descriptors/build-parameters';

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

/** Starts a run for a user or the API. */
export const manualTrigger: KindDescriptor = {
  kind: 'manualTrigger',
  label: 'Manual trigger',
  description: 'Starts a run manually or through the API. Outputs the data of the request as one item.',
  versions: [1],
  groups: ['trigger'],
  isTrigger: true,
  inputs: [],
  outputs: ['main'],
  credentials: [],
  differs: ['Outputs the `data` of `POST /workflows/:id/execute`.'],
  parameters: [],
};

export const stickyNote: KindDescriptor = {
  kind: 'stickyNote',
  label: 'Sticky note',
  description: 'A note on the canvas. Never executed.',
  versions: [1],
  groups: ['annotation'],
  isTrigger: false,
  inputs: [],
  outputs: [],
  credentials: [],
  neverRuns: true,
  parameters: [
    {
      name: 'content',
      label: 'Content',
      type: 'string',
      default: '',
      help: 'Markdown, shown on the canvas.',
      editor: 'multiline',
    },
    { name: 'height', label: 'Height', type: 'number', default: 160, help: 'In pixels of the canvas.' },
    { name: 'width', label: 'Width', type: 'number', default: 240, help: 'In pixels of the canvas.' },
    { name: 'color', label: 'Colour', type: 'number', default: 1, help: '1 to 7.' },
  ],
};

/** Declares how much time a run saves. */
export const timeSaved: KindDescriptor = {
  kind: 'timeSaved',
  label: 'Track time saved',
  description: 'Passes every item on unchanged. Declares how much time a run saves, for readers of the workflow.',
  versions: [1],
  groups: ['flow'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  differs: ['The minutes are checked and stored in the workflow, but not added up.'],
  parameters: [
    {
      name: 'mode',
      label: 'Mode',
      type: 'options',
      default: 'once',
      options: [choice('once', 'Once for all items'), choice('perItem', 'For each item')],
      help: 'Whether the minutes are for all items together or for each item.',
    },
    { name: 'minutesSaved', label: 'Minutes saved', type: 'number', default: 0, help: '0 or more.' },
  ],
};
