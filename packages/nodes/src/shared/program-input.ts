import type { JsonObject } from '@weft/node-catalogue';
import type { CodeInput } from '@weft/sandbox';

/** The input of a program that sees one item, and nothing of the workflow and its run. */
export const programInput = (json: JsonObject, timezone: string): CodeInput => ({
  style: 'code',
  perItem: false,
  itemCount: 1,
  goesOn: false,
  items: [{ json }],
  givesFirstOnly: false,
  node: { id: '', name: '', version: 1, parameters: {} },
  runIndex: 0,
  timezone,
  workflow: { id: '', name: '', active: false },
  mode: '',
  execution: { id: '', mode: '' },
  previous: {},
  vars: {},
  env: {},
  nodes: {},
  staticData: { global: {}, node: {} },
  customData: {},
});
