import type { KindDescriptor } from '../descriptor';

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
