import type { Json } from '@weft/node-catalogue';
import { NodeFailure } from '@weft/engine';
import type { AppRun } from '../app-run';
import { buildCall } from '../build-call';
import { DEFAULT_LIMIT, entriesOf, fetchList, wantedEntries } from '../fetch-list';
import type { PreparedStep } from '../prepare-request';
import { readMail, withoutPath } from './read-mail';
import { type CallTarget, sendCall } from '../send-call';
import { storeFile, type StoredFiles } from './store-file';
import { asObject } from '../template';

/** Maximum number of entries for which a step sends its request. */
const MAX_ENTRIES = 10_000;
/** Number of concurrent requests of a step for the entries of a list, if they may be sent again. */
const ENTRIES_AT_ONCE = 5;

/** An item of a node run for which requests are sent. */
export interface ItemTarget extends CallTarget {
  readonly run: AppRun;
}

/** The steps of an item that are done, so that they are not repeated after a wait. */
export interface Progress {
  /** `$steps`. `NAME[]` has the responses so far of a step that is sent for each entry of a list. */
  steps: Record<string, Json>;
  /** Files of all output items. */
  binary: StoredFiles;
  /** Files of the output items by their place: those of mails, and of a step with `forEach`. */
  entryFiles: readonly StoredFiles[];
}

/** The response of a step, and its files. */
interface StepResult {
  readonly value: Json;
  readonly files: StoredFiles;
  /** True if the files belong to the output item with the place of the response. */
  readonly hasOwnFiles?: boolean;
}

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
  if (step.isOnce) return sendOnce(step, target);
  const { value, files, hasOwnFiles = false } = await sendStep(step, target);
  if (hasOwnFiles) progress.entryFiles = [files];
  else Object.assign(progress.binary, files);
  return value;
}

function sendOnce(step: PreparedStep, target: ItemTarget): Promise<Json> {
  const { shared } = target.run;
  const key = `${step.as} ${target.credential?.type ?? ''} ${JSON.stringify(buildCall(step.request, target))}`;
  const response = shared.get(key) ?? sendStep(step, target).then(({ value }) => value);
  shared.set(key, response);
  return response;
}

/** Requests that may be sent again are sent several at a time; after a long delay, the last ones are repeated. */
async function runForEach(
  step: PreparedStep,
  entries: Json | undefined,
  target: ItemTarget,
  progress: Progress,
): Promise<Json> {
  const { run, itemIndex, scope } = target;
  const list = listOfEntries(entries ?? [], itemIndex);
  const part = `${step.as}[]`;
  const known = progress.steps[part];
  const responses: Json[] = Array.isArray(known) ? [...known] : [];
  const files = responses.length === 0 ? [] : [...progress.entryFiles];
  const size = step.request.isRepeatable ? ENTRIES_AT_ONCE : 1;
  while (responses.length < list.length) {
    await run.context.pause();
    const some = list.slice(responses.length, responses.length + size);
    const ends = await Promise.allSettled(
      some.map(($entry) => sendStep(step, { ...target, scope: scope.with({ $entry }) })),
    );
    for (const end of ends) {
      if (end.status === 'rejected') throw end.reason;
      responses.push(end.value.value);
      files.push(end.value.files);
      progress.steps = { ...progress.steps, [part]: [...responses] };
      progress.entryFiles = [...files];
    }
  }
  const { [part]: _partial, ...others } = progress.steps;
  progress.steps = others;
  return responses;
}

function listOfEntries(entries: Json, itemIndex: number): readonly Json[] {
  if (!Array.isArray(entries)) throw new NodeFailure('`forEach` of a step of the app must give a list.', { itemIndex });
  if (entries.length <= MAX_ENTRIES) return entries;
  throw new NodeFailure(`The app would send ${entries.length} requests for one item, more than ${MAX_ENTRIES}.`, {
    itemIndex,
    description: 'Set a limit, or filter the list.',
  });
}

async function sendStep({ request, isOnce, pages, list, mail }: PreparedStep, target: ItemTarget): Promise<StepResult> {
  const { run, itemIndex, scope } = target;
  const settings = buildCall(request, target);
  // A step that items share cannot depend on the limit of one of them.
  const wanted = isOnce ? Infinity : wantedEntries(asObject(scope.extra['$p']) ?? {});
  if (pages !== undefined && list !== undefined) {
    const body = await fetchList(request, settings, pages, list, target, wanted ?? DEFAULT_LIMIT);
    return { value: { status: 200, headers: {}, body }, files: {} };
  }
  const response = await sendCall(request, settings, target);
  if (list !== undefined) {
    const body = entriesOf(list, response, target).slice(0, wanted ?? Infinity);
    return { value: { ...response.root, body }, files: {} };
  }
  const after = scope.with({ $response: response.root });
  if (mail !== undefined) {
    const { root, files } = await readMail(mail, response, run, itemIndex, after);
    return { value: root, files, hasOwnFiles: true };
  }
  if (request.file === undefined) return { value: response.root, files: {} };
  const files = await storeFile(request.file, response, run, after);
  const { from } = request.file;
  // Files that are stored already are not kept with the run a second time.
  const body = from === undefined ? response.root.body : withoutPath(response.root.body, from.split('.'));
  return { value: { ...response.root, body }, files };
}
