import type { Json } from '@weft/node-catalogue';
import { NodeFailure } from '@weft/engine';
import { runBatches } from '../shared/http/run-batches';
import type { AppRun } from './app-run';
import { buildCall } from './build-call';
import { DEFAULT_LIMIT, entriesOf, fetchList, wantedEntries } from './fetch-list';
import type { PreparedStep } from './prepare-request';
import { type CallTarget, sendCall } from './send-call';
import { readMail, storeFile, type StoredFiles } from './store-files';
import { asObject, type Template } from './template';

/** Maximum number of entries for which a step sends its request, and the number of concurrent ones. */
const MAX_ENTRIES = 10_000;
const ENTRIES_AT_ONCE = 5;

/** An item of a node run for which requests are sent. */
export interface ItemTarget extends CallTarget {
  readonly run: AppRun;
}

/** The steps of an item that are done, so that they are not repeated after a wait. */
export interface Progress {
  /** `$steps`. */
  steps: Record<string, Json>;
  /** Files of all output items. */
  binary: StoredFiles;
  /** Files of the output items by their place: those of mails, and of a step with `forEach`. */
  entryFiles: readonly StoredFiles[];
}

/** The value of a step, and its files. */
interface StepResult {
  readonly value: Json;
  readonly files: StoredFiles;
  readonly entryFiles?: readonly StoredFiles[];
}

/**
 * Runs the steps of an item that are not done, and adds them to `progress`.
 * @throws NodeFailure if a request is refused, LongDelay if it must be sent later
 */
export async function runItemSteps(
  steps: readonly PreparedStep[],
  target: ItemTarget,
  progress: Progress,
): Promise<void> {
  for (const step of steps) {
    const scope = target.scope.with({ $steps: progress.steps });
    if (Object.hasOwn(progress.steps, step.as) || step.when?.holds(scope) === false) continue;
    const now = { ...target, scope };
    const done = step.forEach === undefined ? await runStep(step, now) : await runEach(step, step.forEach, now);
    Object.assign(progress.binary, done.files);
    progress.entryFiles = done.entryFiles ?? progress.entryFiles;
    progress.steps = { ...progress.steps, [step.as]: done.value };
  }
}

async function runEach(step: PreparedStep, forEach: Template, target: ItemTarget): Promise<StepResult> {
  const { run, itemIndex, scope } = target;
  const entries = forEach.json(scope) ?? [];
  if (!Array.isArray(entries)) throw new NodeFailure('`forEach` of a step of the app must give a list.', { itemIndex });
  if (entries.length > MAX_ENTRIES)
    throw new NodeFailure(`The app would send ${entries.length} requests for one item, more than ${MAX_ENTRIES}.`, {
      itemIndex,
      description: 'Set a limit, or filter the list.',
    });
  const results = await runBatches(
    entries.length,
    { size: ENTRIES_AT_ONCE, intervalMs: 0 },
    async (index) => {
      await run.context.pause();
      return runStep(step, { ...target, scope: scope.with({ $entry: entries[index] }) });
    },
    (ms) => run.context.ports.clock.sleep(ms, run.context.signal),
  );
  return {
    value: results.map(({ value }) => value),
    files: {},
    entryFiles: results.map(({ files, entryFiles }) => entryFiles?.[0] ?? files),
  };
}

async function runStep({ request, pages, list, mail }: PreparedStep, target: ItemTarget): Promise<StepResult> {
  const { run, itemIndex, scope } = target;
  const settings = buildCall(request, target);
  const wanted = wantedEntries(asObject(scope.extra['$p']) ?? {});
  if (pages !== undefined && list !== undefined) {
    const value = await fetchList(request, settings, pages, list, target, wanted ?? DEFAULT_LIMIT);
    return { value, files: {} };
  }
  const response = await sendCall(request, settings, target);
  if (list !== undefined) return { value: entriesOf(list, response, target).slice(0, wanted ?? Infinity), files: {} };
  const after = scope.with({ $response: response.root });
  if (mail !== undefined) {
    const { root, files } = await readMail(mail, response, run, itemIndex, after);
    return { value: root, files: {}, entryFiles: [files] };
  }
  const files = request.file === undefined ? {} : await storeFile(request.file, response, run, after);
  return { value: response.root, files };
}
