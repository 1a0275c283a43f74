import {
  beforeApps,
  matchDocuments,
  planWorkflows,
  type AppStep,
  type Checked,
  type CheckResult,
  type JsonObject,
  type ListedWorkflow,
  type Matched,
  type Plan,
  type WorkflowDocument,
} from '@weft/apply';
import type { Weft } from '@weft/client';
import type { Options } from '../commands/command';
import { CommandError, EXIT } from '../session/exit-code';
import { findProject } from './find-project';
import { CONCURRENT, inParallel } from './in-parallel';
import { listSummaries, type Filter } from './list-summaries';

const CHECKED_AT_ONCE = 100;
/** Below the 10 MB of a request. */
const CHECKED_BYTES = 9_000_000;

/** Checked documents, and the plan for them. */
export interface LoadedPlan {
  readonly checked: readonly Checked[];
  readonly plan: Plan;
  readonly projectId: string | undefined;
  readonly set: string | undefined;
}

/** Workflows of the set; all of the project if a file has a key that the set does not have. */
const listFor = async (
  weft: Weft,
  documents: readonly WorkflowDocument[],
  filter: Filter,
): Promise<readonly ListedWorkflow[]> => {
  const listed = await listSummaries(weft, filter);
  const keys = new Set(listed.map(({ key }) => key));
  if (filter.set === undefined || documents.every(({ key }) => keys.has(key))) return listed;
  const { set: _, ...wider } = filter;
  const known = new Set(listed.map(({ id }) => id));
  return [...listed, ...(await listSummaries(weft, wider)).filter(({ id }) => !known.has(id))];
};

/** Definitions in requests of at most a hundred and 9 MB. */
const batchesOf = (matched: readonly Matched[]): readonly (readonly JsonObject[])[] => {
  const batches: JsonObject[][] = [];
  let bytes = Infinity;
  for (const { document, workflow } of matched) {
    const definition = workflow === undefined ? document.definition : { ...document.definition, id: workflow.id };
    const size = Buffer.byteLength(JSON.stringify(definition));
    if (bytes + size > CHECKED_BYTES || (batches.at(-1)?.length ?? 0) >= CHECKED_AT_ONCE) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)?.push(definition);
    bytes += size;
  }
  return batches;
};

const mapOf = (maps: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    maps.map((text) => {
      const at = text.lastIndexOf('=');
      if (!/^[^/=]{1,100}\/./.test(text) || at < 0 || at === text.length - 1)
        throw new CommandError(`--map ${text}: use TYPE/NAME=ID, for example httpHeaderAuth/ERP=<id>.`, EXIT.usage);
      return [text.slice(0, at), text.slice(at + 1)] as const;
    }),
  );

const isResults = (value: unknown): value is { readonly data: readonly CheckResult[] } =>
  typeof value === 'object' && value !== null && 'data' in value && Array.isArray(value.data);

/** Checks definitions on the server, in their order. */
export const checkAll = async (
  weft: Weft,
  matched: readonly Matched[],
  projectId: string | undefined,
  maps: readonly string[] = [],
): Promise<readonly CheckResult[]> => {
  const credentials = mapOf(maps);
  const more = {
    ...(projectId === undefined ? {} : { projectId }),
    ...(maps.length === 0 ? {} : { credentials }),
  };
  const results = await inParallel(batchesOf(matched), CONCURRENT, async (workflows) => {
    const { body } = await weft.request('POST', '/workflows/check', { body: { workflows, ...more } });
    if (!isResults(body) || body.data.length !== workflows.length)
      throw new CommandError('The server answered a check with something else.', EXIT.unexpected);
    return body.data;
  });
  return results.flat();
};

/** Lists, checks and plans. Nothing is written. @param pending apps that are added before the workflows */
export const loadPlan = async (
  weft: Weft,
  documents: readonly WorkflowDocument[],
  options: Options,
  pending: readonly AppStep[] = [],
): Promise<LoadedPlan> => {
  const set = options.text('set');
  const pruneAll = options.isSet('pruneAll');
  const prune = options.isSet('prune') || pruneAll;
  if (prune && set === undefined) throw new CommandError('--prune requires --set.', EXIT.usage);
  const projectId = await findProject(weft, options.text('project'));
  const filter = { ...(set === undefined ? {} : { set }), ...(projectId === undefined ? {} : { projectId }) };
  const listed = await listFor(weft, documents, filter);
  const matched = matchDocuments(documents, listed);
  const checks = await checkAll(weft, matched, projectId, options.list('map'));
  const known = matched.flatMap((one, index) => {
    const check = checks[index];
    return check === undefined ? [] : [{ ...one, check }];
  });
  const checked = beforeApps(known, pending);
  const adopt = options.isSet('adopt');
  const overwrite = options.isSet('overwrite');
  const apps = options.isSet('renewApps') ? (await weft.call('listApps')).data : [];
  const renewed = new Set(apps.flatMap(({ kinds }) => kinds));
  return {
    checked,
    plan: planWorkflows(checked, listed, { manager: 'cli', set, prune, pruneAll, adopt, overwrite, renewed }),
    projectId,
    set,
  };
};
