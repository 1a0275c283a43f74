import { keepStarting } from '@weft/chaos/keep-starting';
import type { Wanted } from '@weft/chaos/start-run';
import { isEnded } from '@weft/chaos/evidence';
import type { Report } from '@weft/local-stack';
import { setTimeout as sleep } from 'node:timers/promises';
import { findProblems, lostStarts, outcomesOf } from './checks';
import { LOAD_KINDS, RESUMED, SCHEDULED } from './kinds';
import { createRequester } from './requests';
import { roll, type Replacement, type Version } from './roll';
import { openScene, type Scene } from './scene';
import { countOf, cutErrors, replacementRows, tableLines } from './table';
import { createWaitingRuns } from './waiting-runs';

/** The two versions, and the load. */
export interface CheckPlan {
  readonly from: Version;
  readonly to: Version;
  readonly perSecond: number;
  readonly report: Report;
}

const WAITING_OF_EACH = 20;
const WARM_UP_MS = 10_000;
const SETTLE_LIMIT_MS = 240_000;
const SCHEDULE_MS = 3_000;
const MAX_NAMED = 30;

/** Waits until all runs of the load have ended. */
const settle = async ({ store }: Scene, own: ReadonlySet<string>): Promise<void> => {
  const until = Date.now() + SETTLE_LIMIT_MS;
  while (Date.now() < until) {
    const rows = await store.all();
    if (rows.every((row) => isEnded(row) || !own.has(row.workflowId))) return;
    await sleep(1_000);
  }
};

const drive = async (scene: Scene, { from, to, perSecond, report }: CheckPlan): Promise<readonly string[]> => {
  const wanted: Wanted[] = [];
  const problems: string[] = [];
  let isOver = false;
  const load = keepStarting(scene.ingress, {
    kinds: LOAD_KINDS,
    keyOf: ({ name }, index) => `${name}-${index}`,
    wanted,
    perSecond,
    most: 2_000,
    isOver: () => isOver,
  });
  const requester = createRequester(scene.crowd, scene.stack.apiKey);
  const requests = (async () => {
    for (let index = 0; !isOver; index += 1) await requester.round(index);
  })();
  const waiting = createWaitingRuns(scene);
  await waiting.start(WAITING_OF_EACH);
  await sleep(WARM_UP_MS);

  const replacements: Replacement[] = [];
  for (const version of [to, from]) {
    report(`changing all processes to ${version.version}`);
    for await (const replacement of roll(scene.stack, version)) {
      replacements.push(replacement);
      report(`  ${replacement.name}: ended after ${replacement.stopMs} ms, ready after ${replacement.readyMs} ms`);
      if (replacement.problem !== undefined) problems.push(replacement.problem);
    }
    // half of the first runs continue at the other version, and the rest after the way back; so do the next ones
    problems.push(...(await waiting.resume(WAITING_OF_EACH / 2)));
    await waiting.start(WAITING_OF_EACH);
  }
  problems.push(...(await waiting.resume(waiting.waiting)));
  isOver = true;
  const { sent, leftOut } = await load;
  await requests;
  report('waiting for the end of all runs');
  const workflowIds = new Set([...LOAD_KINDS, RESUMED].map(({ name }) => scene.ingress.workflowIdOf(name)));
  await settle(scene, workflowIds);

  const all = await scene.store.all();
  const rows = all.filter(({ workflowId }) => workflowIds.has(workflowId));
  const scheduled = all.filter(({ workflowId }) => workflowId === scene.ingress.workflowIdOf(SCHEDULED.name));
  const started = [...wanted, ...waiting.wanted];
  const evidence = { wanted: started, asked: requester.asked, rows, sink: scene.sink };
  problems.push(...findProblems(evidence, SCHEDULE_MS));
  const outcomes = outcomesOf(evidence);
  tableLines(replacementRows(replacements, outcomes)).forEach(report);
  tableLines([
    ['starts', `${sent + waiting.wanted.length} (${leftOut} left out)`],
    ['accepted starts lost', String(lostStarts(evidence).length)],
    ['runs handed over to another runner', String(rows.filter(({ fence }) => fence > 1).length)],
    ['runs that waited for a call', String(waiting.wanted.length)],
    ['scheduled runs', String(scheduled.length)],
    ['requests of the API', String(requester.asked.length)],
    ['replies', String(outcomes.length)],
    ['refused', countOf(outcomes, 'refused')],
    ['callers told to ask for their run', countOf(outcomes, 'late')],
    ['connections cut, and repeated', cutErrors(outcomes)],
  ]).forEach(report);
  return problems;
};

/**
 * Upgrades two of each process from one version to another and back, one process at a time, under load.
 * @returns a sentence about each violation
 */
export const runCheck = async (plan: CheckPlan): Promise<readonly string[]> => {
  plan.report(`starting two of each process of ${plan.from.version} behind one address`);
  const scene = await openScene(plan.from, plan.report);
  try {
    const problems = await drive(scene, plan);
    problems.slice(0, MAX_NAMED).forEach((problem) => plan.report(`PROBLEM ${problem}`));
    return problems;
  } finally {
    await scene.stop();
  }
};
