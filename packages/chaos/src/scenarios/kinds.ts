import type { Kind } from '../load/kind';
import { chain, effect, node, set, webhook } from '../load/workflow-file';

const answerOf = (index: number): Readonly<Record<string, unknown>> => ({ total: index + 1 });
const total = set('Total', 'total', "={{ $('Hook').first().json.body.n + 1 }}");
const body = (n: number): unknown => ({ n });

/** Answered when it is accepted; then calls the sink. */
const TOLD: Kind = {
  name: 'told',
  weight: 30,
  start: { by: 'webhook' },
  effects: 1,
  body,
  build: ({ sinkUrl }) =>
    chain('told', [webhook('told', 'onReceived'), effect('Effect', sinkUrl, '/effect?ms=20')], true),
};

/** Calls the sink before it answers its caller. */
const ASKED: Kind = {
  name: 'asked',
  weight: 30,
  start: { by: 'webhook', answer: answerOf },
  effects: 1,
  body,
  build: ({ sinkUrl }) =>
    chain('asked', [webhook('asked', 'lastNode'), effect('Effect', sinkUrl, '/effect?ms=20'), total], true),
};

/** Answers its caller without a call outside. */
const PLAIN: Kind = {
  name: 'plain',
  weight: 20,
  start: { by: 'webhook', answer: answerOf },
  effects: 0,
  body,
  build: () => chain('plain', [webhook('plain', 'lastNode'), total], true),
};

/** Started over the API. */
const STARTED: Kind = {
  name: 'started',
  weight: 16,
  start: { by: 'execute' },
  effects: 2,
  body,
  build: ({ sinkUrl }) =>
    chain(
      'started',
      [
        node('Start', 'manualTrigger', 1),
        effect('One', sinkUrl, '/effect?ms=20'),
        effect('Two', sinkUrl, '/effect?ms=20'),
      ],
      false,
    ),
};

/** Its caller waits for a slow target. */
export const LASTING: Kind = {
  name: 'lasting',
  weight: 3,
  start: { by: 'webhook', answer: answerOf },
  effects: 1,
  body,
  build: ({ sinkUrl }) =>
    chain('lasting', [webhook('lasting', 'lastNode'), effect('Effect', sinkUrl, '/effect?ms=8000'), total], true),
};

/** Its caller waits almost as long as a caller may. */
const SLEEPING: Kind = {
  name: 'sleeping',
  weight: 1,
  start: { by: 'webhook', answer: answerOf },
  effects: 0,
  body,
  build: () =>
    chain(
      'sleeping',
      [webhook('sleeping', 'lastNode'), node('Wait', 'wait', 1.1, { amount: 26, unit: 'seconds' }), total],
      true,
    ),
};

/** Several calls one after the other: some are still to come when the runner dies. */
export const STEPWISE: Kind = {
  name: 'stepwise',
  weight: 0,
  start: { by: 'execute' },
  effects: 30,
  body,
  build: ({ sinkUrl }) =>
    chain(
      'stepwise',
      [
        node('Start', 'manualTrigger', 1),
        ...Array.from({ length: 30 }, (_, part) => effect(`Effect ${part}`, sinkUrl, '/effect?ms=500')),
      ],
      false,
    ),
};

/** The ordinary load of a tenant. */
export const STEADY_KINDS: readonly Kind[] = [TOLD, ASKED, PLAIN, STARTED];

/** The same with callers that wait for a long time. */
export const MIXED_KINDS: readonly Kind[] = [...STEADY_KINDS, LASTING, SLEEPING];

/** A kind for each position, by the weights, the same in every run. */
export const kindAt = (kinds: readonly Kind[], index: number): Kind => {
  const sum = kinds.reduce((total, { weight }) => total + weight, 0);
  // a step that has no divisor in common with the sum visits every place before it repeats
  let left = (index * 37) % sum;
  for (const kind of kinds) {
    left -= kind.weight;
    if (left < 0) return kind;
  }
  throw new Error('There is no kind to choose from.');
};
