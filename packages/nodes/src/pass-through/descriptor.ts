import type { KindDescriptor } from '@weft/node-catalogue';

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

/** Start of a run that a person or the API started. */
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

/** A note on the canvas. */
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
    { name: 'content', label: 'Content', type: 'string', default: '', help: 'Markdown, shown on the canvas.' },
    { name: 'height', label: 'Height', type: 'number', default: 160, help: 'In pixels of the canvas.' },
    { name: 'width', label: 'Width', type: 'number', default: 240, help: 'In pixels of the canvas.' },
    { name: 'color', label: 'Colour', type: 'number', default: 1, help: '1 to 7.' },
  ],
};
