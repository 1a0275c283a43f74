import type { Kind } from './kind';
import { call, chain, code, effect, node, webhook } from './workflow-file';

const manyHeaders = {
  entries: Array.from({ length: 101 }, (_, index) => ({ name: `x-header-${index}`, value: String(index) })),
};
const start = node('Start', 'manualTrigger', 1);
const called = node('Called', 'executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' });

/** The workflows of hostile or careless users. They may fail; no other workflow may fail because of them. */
export const HOSTILE_KINDS: readonly Kind[] = [
  {
    name: 'headers',
    weight: 60,
    start: { by: 'webhook' },
    effects: 0,
    body: (n) => ({ n }),
    build: () =>
      chain(
        'headers',
        [webhook('headers', 'lastNode', { responseHeaders: manyHeaders }), node('End', 'noOp', 1)],
        true,
      ),
  },
  {
    name: 'loop',
    weight: 10,
    start: { by: 'execute' },
    effects: 0,
    body: (n) => ({ n }),
    build: () => chain('loop', [start, code('Loop', 'for (;;) {}')], false),
  },
  {
    name: 'hungry',
    weight: 10,
    start: { by: 'execute' },
    effects: 0,
    body: (n) => ({ n }),
    build: () =>
      chain('hungry', [start, code('Eat', 'const kept = []; for (;;) kept.push(Array(4096).fill([]))')], false),
  },
  {
    name: 'stray',
    weight: 0,
    start: { by: 'execute' },
    effects: 0,
    body: () => ({}),
    build: () => chain('stray', [called, node('End', 'noOp', 1)], false),
  },
  {
    name: 'wide',
    weight: 6,
    start: { by: 'execute' },
    effects: 0,
    body: (n) => ({ n }),
    build: ({ idOf }) =>
      chain(
        'wide',
        [
          start,
          code('Many', 'return Array.from({ length: 60 }, (_, part) => ({ json: { part } }))'),
          call('Call', idOf('stray'), 'each', false),
        ],
        false,
      ),
  },
  {
    name: 'oversized',
    weight: 6,
    isRare: true,
    start: { by: 'execute' },
    effects: 5,
    body: (n) => ({ n }),
    build: ({ sinkUrl }) =>
      chain(
        'oversized',
        [
          start,
          code('Five', 'return [1, 2, 3, 4, 5].map((part) => ({ json: { part } }))'),
          effect('Effect', sinkUrl, '/bulk?bytes=8000000'),
        ],
        false,
      ),
  },
  {
    name: 'poison',
    weight: 0,
    isRare: true,
    start: { by: 'execute' },
    effects: 1,
    body: (n) => ({ n }),
    build: ({ sinkUrl }) => chain('poison', [start, effect('Effect', sinkUrl, '/poison')], false),
  },
];

/** Calls itself twice without waiting, and never stops on its own. `ownId` is known once it is stored. */
export const endlessCalls = (ownId: string) =>
  chain(
    'endless',
    [called, code('Two', 'return [1, 2].map((part) => ({ json: { part } }))'), call('Call', ownId, 'each', false)],
    false,
  );
