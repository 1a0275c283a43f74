import type { Kind } from '../../load/kind';
import { chain, set, webhook } from '../../load/workflow-file';
import { quantile } from '../../report';
import { checkRuns, clientKeyOf } from '../check-runs';
import { startCrowd } from './crowd';
import { spread, type ScenarioResult } from '../scenario-result';
import { startFlood } from './flood';
import { keepStarting } from '../keep-starting';
import { kindAt } from '../kinds';
import { openScene, type Scene } from '../scene';
import { firstAnswerMs, requestOf, type Wanted } from '../start-run';
import { watchEnds } from '../watch-ends';
import { watchMemory } from '../watch-memory';

/** Options of the scenario. */
export interface OverloadOptions {
  readonly minutes: number;
  readonly report: (line: string) => void;
}

const FACTOR = 10;
const MEASURE_MS = 10_000;
const LIGHT_PER_SECOND = 10;
const LIGHT_MS = 10_000;
const CONNECTIONS = 40;
const MAX_SLOWER = 3;
const RECOVER_MS = 60_000;
const BODY_BYTES = 50_000;

const ballast = 'y'.repeat(BODY_BYTES);
const total = set('Total', 'total', "={{ $('Hook').first().json.body.n + 1 }}");
const body = (n: number): unknown => ({ n, ballast });
const PUSHED: Kind = {
  name: 'pushed',
  weight: 3,
  start: { by: 'webhook' },
  effects: 0,
  body,
  build: () => chain('pushed', [webhook('pushed', 'onReceived'), total], true),
};
const AWAITED: Kind = {
  name: 'awaited',
  weight: 2,
  start: { by: 'webhook', answer: (n) => ({ total: n + 1 }) },
  effects: 0,
  body,
  build: () => chain('awaited', [webhook('awaited', 'lastNode'), total], true),
};
const KINDS: readonly Kind[] = [PUSHED, AWAITED];

/** Answers per second for clients that send as fast as they are answered. */
const measureCapacity = async ({ environment, ingress }: Scene): Promise<number> => {
  const crowd = startCrowd(environment.stack.baseUrls, CONNECTIONS);
  const until = Date.now() + MEASURE_MS;
  const from = until - MEASURE_MS / 2;
  let count = 0;
  let next = 0;
  const work = async (): Promise<void> => {
    while (Date.now() < until) {
      const index = next++;
      const kind = kindAt(KINDS, index);
      const reply = await crowd.send(requestOf(kind, index, `capacity-${index}`, ingress));
      if (reply.kind === 'answer' && reply.status === 200 && reply.doneAt > from && reply.doneAt < until) count += 1;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  await crowd.stop();
  return count / (MEASURE_MS / 2 / 1_000);
};

/** A load that any machine can carry. */
const lightLoad = async (scene: Scene, prefix: string, isOver: () => boolean, wanted: Wanted[]): Promise<void> => {
  await keepStarting(scene.ingress, {
    kinds: KINDS,
    keyOf: (_kind, index) => `${prefix}-${index}`,
    wanted,
    perSecond: LIGHT_PER_SECOND,
    most: 1_000,
    isOver,
  });
};

const forMs = (ms: number): (() => boolean) => {
  const until = Date.now() + ms;
  return () => Date.now() > until;
};

/**
 * Waits until a light load is answered as quickly as before, and returns the milliseconds that took; undefined: not in
 * time.
 */
const recovery = async (scene: Scene, before: number, wanted: Wanted[]): Promise<number | undefined> => {
  const began = Date.now();
  for (let turn = 0; Date.now() - began < RECOVER_MS; turn += 1) {
    const some: Wanted[] = [];
    const startedAt = Date.now();
    await lightLoad(scene, `after-${turn}`, forMs(5_000), some);
    wanted.push(...some);
    if (
      quantile(some.map(firstAnswerMs), 0.99) <= MAX_SLOWER * before &&
      some.every(({ replies }) => replies.length === 1)
    )
      return startedAt - began;
  }
  return undefined;
};

const run = async (scene: Scene, { minutes, report }: OverloadOptions): Promise<ScenarioResult> => {
  const { environment, store } = scene;
  report('measuring the capacity ...');
  const capacity = await measureCapacity(scene);
  await scene.settle(30_000);
  report(`${capacity.toFixed(0)} a second; a light load ...`);
  const light: Wanted[] = [];
  await lightLoad(scene, 'before', forMs(LIGHT_MS), light);
  const before = quantile(light.map(firstAnswerMs), 0.99);
  const memory = watchMemory(environment.stack, scene.limits);
  const ended = watchEnds(environment.stack);
  report(`${(FACTOR * capacity).toFixed(0)} a second ...`);
  const flood = await startFlood({
    baseUrls: environment.stack.baseUrls,
    perSecond: FACTOR * capacity,
    seconds: minutes * 60,
    paths: KINDS.map(({ name }) => `/webhook/${name}`),
    bodyBytes: BODY_BYTES,
  });
  const backlog = (await store.inStates(['queued'])).length;
  report(`over; ${backlog} runs are queued. A light load ...`);
  const after: Wanted[] = [];
  const recoveredMs = await recovery(scene, before, after);
  const left = await scene.settle(RECOVER_MS);
  memory.stop();
  const endedMeanwhile = ended();
  const rows = await scene.rows();
  const byKey = new Map(rows.map((row) => [clientKeyOf(row), row]));
  const lost = flood.accepted.filter((key) => !byKey.has(key));
  const failed = rows.filter(({ state }) => state === 'error' || state === 'crashed' || state === 'cancelled');
  const isDraining = left.length < backlog;
  const ours = new Set([...light, ...after].map(({ key }) => key));
  return {
    scenario: 'overload',
    figures: [
      ['capacity', `${capacity.toFixed(0)} a second over ${CONNECTIONS} connections`],
      [
        'offered',
        `${flood.offered} in ${minutes * 60} s (${(flood.offered / minutes / 60).toFixed(0)} a second, ` +
          `${(flood.offered / minutes / 60 / capacity).toFixed(1)} times the capacity), ${flood.notSent} of ` +
          'them found no connection free',
      ],
      [
        'answers',
        Object.entries(flood.counts)
          .sort()
          .map(([name, count]) => `${name}: ${count}`)
          .join(', '),
      ],
      ['accepted', `${flood.accepted.length}, lost ${lost.length}, failed ${failed.length}`],
      ['queued at the end of the overload', String(backlog)],
      ['not ended a minute later', String(left.length)],
      ['light load before', spread(light.map(firstAnswerMs))],
      ['light load after', spread(after.slice(-LIGHT_PER_SECOND * 5).map(firstAnswerMs))],
      [
        'normal service after',
        recoveredMs === undefined ? `not within ${RECOVER_MS / 1_000} s` : `${(recoveredMs / 1_000).toFixed(0)} s`,
      ],
      ['processes that ended', endedMeanwhile.join(', ') || 'none'],
      ...memory.figures(),
    ],
    violations: [
      ...memory.violations(),
      ...endedMeanwhile.map((name) => ({ check: 'no process ends unexpectedly', executionId: '', what: name })),
      ...flood.odd.map((what) => ({
        check: 'answers are success, 429, or 503 with Retry-After',
        executionId: '',
        what,
      })),
      ...lost.map((key) => ({
        check: 'what was accepted is stored',
        executionId: '',
        what: `${key} was accepted, and there is no record`,
      })),
      ...failed.map(({ _id, state, error }) => ({
        check: 'every run succeeds',
        executionId: _id,
        what: `${state} ${error?.reason ?? ''} ${error?.message.slice(0, 160) ?? ''}`,
      })),
      ...(recoveredMs === undefined
        ? [
            {
              check: 'normal service within 60 s',
              executionId: '',
              what: `p99 of a light load was ${before.toFixed(0)} ms`,
            },
          ]
        : []),
      ...(left.length > 0 && !isDraining
        ? [
            {
              check: 'the backlog drains',
              executionId: '',
              what: `${backlog} at the end of the overload, ${left.length} a minute later`,
            },
          ]
        : []),
      ...checkRuns({
        wanted: [...light, ...after],
        rows: rows.filter((row) => ours.has(clientKeyOf(row))),
        sink: scene.sink,
        hadDeaths: false,
      }).filter(({ check }) => left.length === 0 || check !== 'every run succeeds'),
    ],
  };
};

/** Ten times the load that can be carried, then a light one; see docs/guides/chaos.md. */
export const overload = async (options: OverloadOptions): Promise<ScenarioResult> => {
  const scene = await openScene(KINDS, options.report);
  try {
    return await run(scene, options);
  } finally {
    await scene.stop();
  }
};
