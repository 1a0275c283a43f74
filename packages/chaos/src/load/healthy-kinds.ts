import type { Kind } from './kind';
import { call, chain, code, effect, node, set, webhook } from './workflow-file';

const started = node('Called', 'executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' });
const three = code('Three', 'return [1, 2, 3].map((part) => ({ json: { part } }))');
const answerOf = (index: number): Readonly<Record<string, unknown>> => ({ total: index + 1 });
const total = set('Total', 'total', "={{ $('Hook').first().json.body.n + 1 }}");
const big = (bytes: number): string => 'y'.repeat(bytes);

/** The workflows of ordinary users. Each must succeed, whatever happens to the stack or runs next to it. */
export const HEALTHY_KINDS: readonly Kind[] = [
  {
    name: 'short',
    weight: 30,
    start: { by: 'webhook' },
    effects: 0,
    body: (n) => ({ n }),
    build: () => chain('short', [webhook('short', 'onReceived'), total], true),
  },
  {
    name: 'awaited',
    weight: 16,
    start: { by: 'webhook', answer: answerOf },
    effects: 0,
    body: (n) => ({ n }),
    build: () => chain('awaited', [webhook('awaited', 'lastNode'), total], true),
  },
  {
    name: 'calling',
    weight: 14,
    start: { by: 'execute' },
    effects: 3,
    body: (n) => ({ n }),
    build: ({ sinkUrl }) =>
      chain(
        'calling',
        [node('Start', 'manualTrigger', 1), three, effect('Effect', sinkUrl, '/effect?ms=20'), node('End', 'noOp', 1)],
        false,
      ),
  },
  {
    name: 'long',
    weight: 10,
    start: { by: 'execute' },
    effects: 4,
    body: (n) => ({ n }),
    build: ({ sinkUrl }) =>
      chain(
        'long',
        [
          node('Start', 'manualTrigger', 1),
          ...[1, 2, 3, 4].map((part) => effect(`Effect ${part}`, sinkUrl, '/effect?ms=700')),
        ],
        false,
      ),
  },
  {
    name: 'slow',
    weight: 5,
    start: { by: 'execute' },
    effects: 1,
    body: (n) => ({ n }),
    build: ({ sinkUrl }) =>
      chain('slow', [node('Start', 'manualTrigger', 1), effect('Effect', sinkUrl, '/effect?ms=4000')], false),
  },
  {
    name: 'coded',
    weight: 7,
    start: { by: 'webhook', answer: answerOf },
    effects: 0,
    body: (n) => ({ n }),
    build: () =>
      chain(
        'coded',
        [
          webhook('coded', 'lastNode'),
          code('Sum', "return [{ json: { total: [...Array($('Hook').first().json.body.n + 1).keys()].length } }]"),
        ],
        true,
      ),
  },
  {
    name: 'timed',
    weight: 5,
    start: { by: 'execute' },
    effects: 1,
    body: (n) => ({ n }),
    build: ({ sinkUrl }) =>
      chain(
        'timed',
        [
          node('Start', 'manualTrigger', 1),
          node('Wait', 'wait', 1.1, { amount: 3, unit: 'seconds' }),
          effect('Effect', sinkUrl, '/effect'),
        ],
        false,
      ),
  },
  {
    name: 'resumed',
    weight: 4,
    start: { by: 'webhook', resumes: true },
    effects: 1,
    body: (n) => ({ n }),
    build: ({ sinkUrl }) =>
      chain(
        'resumed',
        [
          webhook('resumed', 'responseNode'),
          node('Tell', 'respondToWebhook', 1.4, { respondWith: 'text', responseBody: '={{ $execution.resumeUrl }}' }),
          node('Wait', 'wait', 1.1, { resume: 'webhook', httpMethod: 'POST', responseMode: 'onReceived' }),
          effect('Effect', sinkUrl, '/effect'),
        ],
        true,
      ),
  },
  {
    name: 'child',
    weight: 0,
    start: { by: 'execute' },
    effects: 1,
    body: () => ({}),
    build: ({ sinkUrl }) => chain('child', [started, effect('Effect', sinkUrl, '/effect?ms=50')], false),
  },
  {
    name: 'parent',
    weight: 5,
    start: { by: 'execute' },
    effects: 0,
    body: (n) => ({ n }),
    build: ({ idOf }) =>
      chain(
        'parent',
        [node('Start', 'manualTrigger', 1), three, call('Call', idOf('child'), 'each', true), node('End', 'noOp', 1)],
        false,
      ),
  },
  {
    name: 'large',
    weight: 4,
    start: { by: 'webhook' },
    effects: 1,
    body: (n) => ({ n, ballast: big(200_000) }),
    build: ({ sinkUrl }) =>
      chain(
        'large',
        [
          webhook('large', 'onReceived'),
          code(
            'Grow',
            'const { ballast } = $input.first().json.body; return [1, 2, 3, 4].map((part) => ({ json: { ' +
              'part, ballast } }))',
          ),
          node('One', 'limit', 1, { maxItems: 1 }),
          effect('Effect', sinkUrl, '/effect'),
        ],
        true,
      ),
  },
  {
    name: 'scheduled',
    weight: 0,
    start: { by: 'schedule', everySeconds: 3 },
    effects: 1,
    body: () => ({}),
    build: ({ sinkUrl }) =>
      chain(
        'scheduled',
        [
          node('Clock', 'scheduleTrigger', 1.2, { rule: { interval: [{ field: 'seconds', secondsInterval: 3 }] } }),
          effect('Effect', sinkUrl, '/tick?due={{ encodeURIComponent($json.timestamp) }}'),
        ],
        true,
      ),
  },
];
