import { createApi } from '../../load/api';
import type { Kind } from '../../load/kind';
import { makeUser, storeWorkflows } from '../../load/store-workflows';
import { chain, node, webhook } from '../../load/workflow-file';
import { checkAnswers, checkRuns, clientKeyOf } from '../check-runs';
import { spread, type ScenarioResult } from '../scenario-result';
import { healthyLoad } from '../healthy-load';
import { keepRate } from '../keep-rate';
import { STEADY_KINDS } from '../kinds';
import { openScene, type Scene } from '../scene';
import { firstAnswerMs, startRun, type Wanted } from '../start-run';
import { watchEnds } from '../watch-ends';
import { watchLoops } from '../watch-loops';
import { watchMemory } from '../watch-memory';

/** Options of the scenario. */
export interface ManyOwnersOptions {
  readonly minutes: number;
  readonly perSecond: number;
  readonly report: (line: string) => void;
}

const OWNERS = 50;
/** Milliseconds that a caller may wait, whichever owner had the processes for code before. */
const MAX_ANSWER_MS = 2_000;
const MAX_UNDER_WAY = 2_000;
/** Services that have just started still compile their code. */
const WARM_MS = 10_000;

/** A workflow with one Code node, which answers with its owner. */
const kindOf = (owner: number): Kind => ({
  name: `owner-${owner}`,
  weight: 1,
  start: { by: 'webhook', answer: (index) => ({ owner, total: index + 1 }) },
  effects: 0,
  body: (n) => ({ n }),
  build: () =>
    chain(
      `owner-${owner}`,
      [
        webhook(`owner-${owner}`, 'lastNode'),
        node('Code', 'code', 2, {
          jsCode: `return [{ json: { owner: ${owner}, total: $('Hook').first().json.body.n + 1 } }];`,
        }),
      ],
      true,
    ),
});

const run = async (
  scene: Scene,
  { minutes, perSecond, report }: ManyOwnersOptions,
): Promise<Omit<ScenarioResult, 'scenario'>> => {
  const { stack } = scene.environment;
  const kinds = Array.from({ length: OWNERS }, (_, owner) => kindOf(owner));
  report(`storing a workflow of each of ${OWNERS} owners ...`);
  const ids = new Set<string>();
  for (const [owner, kind] of kinds.entries()) {
    const api = createApi(stack.baseUrls, await makeUser(stack, `owner-${owner}`));
    for (const id of (await storeWorkflows(api, [kind], false, scene.sink.url)).keys()) ids.add(id);
  }
  report('warming up with the ordinary load, which has no code ...');
  await healthyLoad(scene, 'warm', perSecond, WARM_MS);
  const ended = watchEnds(stack);
  const memory = watchMemory(stack, scene.limits);
  const loops = watchLoops(stack);
  const wanted: Wanted[] = [];
  const until = Date.now() + minutes * 60_000;
  report(`${perSecond} starts a second for ${minutes} min, each of the next owner ...`);
  const offered = await keepRate({
    perSecond,
    most: MAX_UNDER_WAY,
    isOver: () => Date.now() > until,
    send: async (index) => {
      const kind = kinds[index % OWNERS];
      if (kind !== undefined) wanted.push(await startRun(kind, index, `many-${index}`, scene.ingress));
    },
  });
  const endedMeanwhile = ended();
  memory.stop();
  await loops.stop();
  const rows = (await scene.store.all()).filter(({ workflowId }) => ids.has(workflowId));
  const createdAt = new Map(rows.map((row) => [clientKeyOf(row), row.createdAt.getTime()]));
  const late = wanted.filter((each) => firstAnswerMs(each) > MAX_ANSWER_MS);
  return {
    figures: [
      ['starts', `${offered.sent} by ${OWNERS} owners, ${offered.leftOut} left out`],
      ['first answer', spread(wanted.map(firstAnswerMs))],
      ['of the first two rounds', spread(wanted.filter(({ index }) => index < 2 * OWNERS).map(firstAnswerMs))],
      ['refused at first', String(wanted.filter(({ replies }) => replies.length > 1).length)],
      ['processes that ended', endedMeanwhile.join(', ') || 'none'],
      ...loops.figures(),
      ...memory.figures(),
    ],
    violations: [
      ...late.map((each) => ({
        check: `no owner waits for more than ${MAX_ANSWER_MS} ms`,
        executionId: '',
        what: `${each.key}: ${firstAnswerMs(each).toFixed(0)} ms`,
      })),
      ...loops.violations(),
      ...endedMeanwhile.map((name) => ({ check: 'no process ends unexpectedly', executionId: '', what: name })),
      ...checkAnswers(wanted, (key) => createdAt.get(key)),
      ...checkRuns({ wanted, rows, sink: scene.sink, hadDeaths: false }),
    ],
  };
};

/** Code of many owners in turn, each with separate processes; see docs/guides/chaos.md. */
export const manyOwners = async (options: ManyOwnersOptions): Promise<ScenarioResult> => {
  const scene = await openScene(STEADY_KINDS, options.report);
  try {
    return { scenario: 'many-owners', ...(await run(scene, options)) };
  } finally {
    await scene.stop();
  }
};
