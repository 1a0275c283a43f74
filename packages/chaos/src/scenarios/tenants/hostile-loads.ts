import type { Kind } from '../../load/kind';
import { endlessCalls, HOSTILE_KINDS } from '../../load/hostile-kinds';
import { chain, code, effect, node, webhook } from '../../load/workflow-file';
import { EXHAUSTING } from './exhausting-loads';

/** One kind of attack, and its interval. */
export interface HostileLoad {
  readonly kind: Kind;
  readonly everyMs: number;
}

const start = node('Start', 'manualTrigger', 1);
const respond = node('Answer', 'respondToWebhook', 1.4, {
  respondWith: 'text',
  responseBody: '={{ $json.text }}',
  options: { responseHeaders: { entries: [{ name: 'x-line', value: '={{ $json.header }}' }] } },
});
const body = (n: number): unknown => ({ n });

const OWN: readonly HostileLoad[] = [
  {
    // a header with line breaks, and an answer larger than any message
    everyMs: 1_000,
    kind: {
      name: 'torn',
      weight: 0,
      start: { by: 'webhook' },
      effects: 0,
      body,
      build: () =>
        chain(
          'torn',
          [
            webhook('torn', 'responseNode'),
            code('Text', "return [{ json: { header: 'one\\r\\ntwo: 2', text: 'x'.repeat(100) } }]"),
            respond,
          ],
          true,
        ),
    },
  },
  {
    everyMs: 4_000,
    kind: {
      name: 'vast',
      weight: 0,
      start: { by: 'webhook' },
      effects: 0,
      body,
      build: () =>
        chain(
          'vast',
          [webhook('vast', 'lastNode'), code('Text', "return [{ json: { text: 'x'.repeat(17_000_000) } }]")],
          true,
        ),
    },
  },
  {
    everyMs: 2_000,
    kind: {
      name: 'lists',
      weight: 0,
      start: { by: 'execute' },
      effects: 0,
      body,
      build: ({ sinkUrl }) =>
        chain(
          'lists',
          [
            start,
            effect('List', sinkUrl, '/bulk?bytes=20000000'),
            node('Each', 'splitOut', 1, { fieldToSplitOut: 'rows', options: {} }),
            node('End', 'noOp', 1),
          ],
          false,
        ),
    },
  },
  {
    everyMs: 5_000,
    kind: {
      name: 'heavy',
      weight: 0,
      start: { by: 'execute' },
      effects: 0,
      body,
      build: () =>
        chain(
          'heavy',
          [start, code('Item', "return [{ json: { text: 'x'.repeat(100_000_000) } }]"), node('End', 'noOp', 1)],
          false,
        ),
    },
  },
  {
    everyMs: 10_000,
    kind: {
      name: 'download',
      weight: 0,
      start: { by: 'execute' },
      effects: 0,
      body,
      build: ({ sinkUrl }) =>
        chain('download', [start, effect('Item', sinkUrl, '/bulk?bytes=100000000'), node('End', 'noOp', 1)], false),
    },
  },
  {
    everyMs: 20_000,
    kind: { name: 'endless', weight: 0, start: { by: 'execute' }, effects: 0, body, build: () => endlessCalls('') },
  },
];

/** Interval at which each harmful kind of the chaos load is started. */
const EVERY_MS: Readonly<Record<string, number>> = {
  headers: 100,
  loop: 3_000,
  hungry: 3_000,
  wide: 5_000,
  oversized: 10_000,
};

/** All that the hostile tenant does; kinds without a rate are only called by others. */
export const HOSTILE_LOADS: readonly HostileLoad[] = [
  ...HOSTILE_KINDS.filter(({ name }) => name !== 'poison').map((kind) => ({ kind, everyMs: EVERY_MS[kind.name] ?? 0 })),
  ...OWN,
  ...EXHAUSTING,
];
