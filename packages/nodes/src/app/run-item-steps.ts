import type { Json } from '@weft/node-catalogue';
import type { BinaryReference } from '@weft/engine';
import type { AppRun } from './app-run';
import { buildCall } from './build-call';
import { fetchList } from './fetch-list';
import type { PreparedStep } from './prepare-request';
import { type CallTarget, sendCall } from './send-call';
import { storeFile } from './store-file';

/** An item of a node run for which requests are sent. */
export interface ItemTarget extends CallTarget {
  readonly run: AppRun;
}

/** The steps of an item that are done, so that they are not repeated after a wait. */
export interface Progress {
  /** `$steps`. `NAME[]` has the responses so far of a step that is sent for each entry of a list. */
  steps: Record<string, Json>;
  binary: Record<string, BinaryReference>;
}

/** Maximum number of entries for which one step is sent. */
const MAX_EACH = 1_000;

/**
 * Runs the steps of an operation for one item, each of which sees the responses before it.
 * @returns the target with a scope that has `$steps`
 * @throws NodeFailure if a step fails, LongDelay if it must continue later, from `progress`
 */
export async function runItemSteps(
  steps: readonly PreparedStep[],
  target: ItemTarget,
  progress: Progress,
): Promise<ItemTarget> {
  const now = (): ItemTarget => ({ ...target, scope: target.scope.with({ $steps: progress.steps }) });
  for (const step of steps) {
    if (Object.hasOwn(progress.steps, step.as) || step.when?.holds(now().scope) === false) continue;
    const response = await runStep(step, now(), progress);
    progress.steps = { ...progress.steps, [step.as]: response };
  }
  return now();
}

async function runStep(step: PreparedStep, target: ItemTarget, progress: Progress): Promise<Json> {
  if (step.forEach !== undefined) return runForEach(step, step.forEach.json(target.scope), target, progress);
  const { run } = target;
  if (!step.isOnce) return sendStep(step, target, progress);
  const shared = `${step.as} ${target.credential?.type ?? ''} ${JSON.stringify(buildCall(step.request, target))}`;
  const response = run.shared.get(shared) ?? sendStep(step, target, progress);
  run.shared.set(shared, response);
  return response;
}

async function runForEach(
  step: PreparedStep,
  entries: Json | undefined,
  target: ItemTarget,
  progress: Progress,
): Promise<Json> {
  const part = `${step.as}[]`;
  const list = Array.isArray(entries) ? entries.slice(0, MAX_EACH) : [];
  const known = progress.steps[part];
  const responses: Json[] = Array.isArray(known) ? [...known] : [];
  for (const $each of list.slice(responses.length)) {
    const scope = target.scope.with({ $each });
    responses.push(await sendStep(step, { ...target, scope }, progress));
    progress.steps = { ...progress.steps, [part]: responses };
  }
  const { [part]: _partial, ...others } = progress.steps;
  progress.steps = others;
  return responses;
}

async function sendStep({ request, pages, list }: PreparedStep, target: ItemTarget, progress: Progress): Promise<Json> {
  const settings = buildCall(request, target);
  if (pages !== undefined && list !== undefined) {
    const body = await fetchList(request, settings, pages, list, target, Infinity);
    return { status: 200, headers: {}, body };
  }
  const response = await sendCall(request, settings, target);
  if (request.file !== undefined) {
    const scope = target.scope.with({ $response: response.root });
    Object.assign(progress.binary, await storeFile(request.file, response, target.run, scope));
  }
  return response.root;
}
