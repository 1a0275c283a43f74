import {
  credentialsByName,
  fileOf,
  isObject,
  keyOfPath,
  matchDocuments,
  readDocuments,
  writeDocuments,
  type CheckResult,
  type JsonObject,
  type ListedWorkflow,
  type WorkflowDocument,
} from '@weft/apply';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findFiles, readFile, refuseFiles } from '../files/collect-files';
import { listSummaries } from '../files/list-summaries';
import { findProject } from '../files/find-project';
import { checkAll } from '../files/load-plan';
import { definitionsOf } from '../files/read-definitions';
import { plainText } from '../output/plain-text';
import { EXIT, type ExitCode } from '../session/exit-code';
import type { Call } from './command';

interface Local {
  readonly document: WorkflowDocument;
  /** All documents of its file, which is written as a whole. */
  readonly siblings: readonly WorkflowDocument[];
}

/** Documents of a folder. */
const localsOf = (folder: string): readonly Local[] => {
  if (!existsSync(folder)) return [];
  const read = findFiles([folder]).map(({ file, path }) => readDocuments(file, path, readFile(file)));
  const errors = read.flatMap((one) => one.errors);
  if (errors.length > 0) throw refuseFiles(errors);
  return read.flatMap(({ documents }) => documents.map((document) => ({ document, siblings: documents })));
};

const asDocument = (definition: JsonObject, { id, key, name }: ListedWorkflow): WorkflowDocument => {
  const document = { file: '', index: 0, key: key ?? id, hasOwnKey: true, id, active: undefined, name };
  return { ...document, definition: credentialsByName(definition) };
};

/** Files whose names identify each credential as well as its id does are equal everywhere; others keep the id. */
const withIdsWhereNeeded = (stored: JsonObject, check: CheckResult | undefined): JsonObject => {
  const linked = new Map(check?.credentials.map(({ node, type, id }) => [JSON.stringify([node, type]), id]));
  const nodes = Array.isArray(stored['nodes']) ? stored['nodes'].filter(isObject) : [];
  const idOf = (node: string, type: string): unknown => {
    const credentials = nodes.find(({ name }) => name === node)?.['credentials'];
    const reference = isObject(credentials) ? credentials[type] : undefined;
    return isObject(reference) ? reference['id'] : undefined;
  };
  return credentialsByName(stored, (node, type) => {
    const id = idOf(node, type);
    return typeof id === 'string' && linked.get(JSON.stringify([node, type])) !== id;
  });
};

/** A file for a workflow that has none: named by its key, otherwise by its name and the end of its id. */
const newFile = (folder: string, { key, name, id }: ListedWorkflow, taken: ReadonlyMap<string, unknown>): string => {
  // Keys may contain dots: none leads out of the folder.
  const safe = key?.split('/').some((part) => /^\.{0,2}$/.test(part)) === true ? key.replaceAll('/', '-') : key;
  const wanted = join(folder, `${safe ?? (keyOfPath(name).replaceAll('/', '-') || 'workflow')}.yaml`);
  return key === undefined && (taken.has(wanted) || existsSync(wanted))
    ? wanted.replace(/\.yaml$/, `-${id.slice(-6)}.yaml`)
    : wanted;
};

const put = (file: string, content: string): void => {
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}.tmp`;
  writeFileSync(draft, content);
  renameSync(draft, file);
};

const warnOfDigits = (call: Call, definition: JsonObject, name: string): void => {
  let isInexact = false;
  JSON.stringify(definition, (_, value: unknown) => {
    if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) isInexact = true;
    return value;
  });
  if (isInexact) call.io.err(plainText(`${name}: warning: an integer beyond 2^53 may have lost digits.\n`));
};

/** Files to write, by path: whole documents in their order. */
type Draft = Map<string, JsonObject[]>;

const headOf = (workflow: ListedWorkflow, local: WorkflowDocument | undefined) => ({
  ...(workflow.key === undefined ? { id: workflow.id } : { key: workflow.key }),
  // A file that leaves the state open stays so.
  ...(local !== undefined && local.active === undefined ? {} : { active: workflow.active }),
});

/** Writes the workflows of the instance to the files that have them, and others to new files. Deletes no file. */
export const pull = async (call: Call): Promise<ExitCode> => {
  const { options, print, io } = call;
  const folder = options.text('file') ?? '.';
  const locals = localsOf(folder);
  const weft = call.weft();
  const projectId = await findProject(weft, options.text('project'));
  const set = options.text('set');
  const filter = { ...(set === undefined ? {} : { set }), ...(projectId === undefined ? {} : { projectId }) };
  const listed = await listSummaries(weft, filter);
  const matched = matchDocuments(
    locals.map(({ document }) => document),
    listed,
  );
  const checks = await checkAll(weft, matched, projectId);
  const byId = new Map(
    matched.flatMap(({ workflow, document }, index) =>
      workflow === undefined
        ? []
        : [[workflow.id, { document, siblings: locals[index]?.siblings ?? [], hash: checks[index]?.hash }] as const],
    ),
  );
  const changed = listed.filter((workflow) => {
    const local = byId.get(workflow.id);
    const sameActive = local?.document.active === undefined || local.document.active === workflow.active;
    return local === undefined || workflow.hash === undefined || local.hash !== workflow.hash || !sameActive;
  });
  const definitions = await definitionsOf(weft, changed, filter);
  const named = changed.map((workflow, index) => asDocument(definitions[index] ?? {}, workflow));
  const linked = await checkAll(
    weft,
    named.map((document, index) => ({ document, workflow: changed[index], by: 'id' as const })),
    projectId,
  );
  const drafts: Draft = new Map();
  const results: object[] = [];
  changed.forEach((workflow, index) => {
    const stored = definitions[index] ?? {};
    warnOfDigits(call, stored, workflow.name);
    const { document: local, siblings = [] } = byId.get(workflow.id) ?? {};
    const file = local?.file ?? newFile(folder, workflow, drafts);
    const draft =
      drafts.get(file) ??
      siblings.map(({ key, active, definition, hasOwnKey }) =>
        fileOf({ ...(hasOwnKey ? { key } : {}), active }, definition),
      );
    draft[local?.index ?? 0] = fileOf(headOf(workflow, local), withIdsWhereNeeded(stored, linked[index]));
    drafts.set(file, draft);
    results.push({ action: local === undefined ? 'created' : 'updated', file, id: workflow.id, name: workflow.name });
  });
  for (const [file, documents] of options.isSet('check') ? [] : drafts)
    put(file, writeDocuments(/\.json$/i.test(file) ? 'json' : 'yaml', documents));
  print.list(results, ['action', 'file', 'name']);
  const unchanged = listed.length - changed.length;
  io.err(`${results.length} ${options.isSet('check') ? 'different' : 'written'}, ${unchanged} unchanged\n`);
  return options.isSet('check') && results.length > 0 ? EXIT.different : EXIT.success;
};
