import { checkShape, isJsonObject, type Json, type JsonObject } from '@weft/node-catalogue/definitions';
import { openDocument, type WorkflowDocument } from '../document';
import { EditError } from '../edit-error';
import { parseChecked } from '../json/check-text';
import { indentOfLine } from '../json/style';
import { nodeAt, treeOf, type Path } from '../json/tree';
import { RawJson } from '../json/value';
import { isCurl, requestNodeOf } from './curl';

/** Number of workflows that one text may contain. */
export const MAX_WORKFLOWS = 100;

/** The content of a pasted text or imported file. */
export type ClipboardContent =
  /** Nodes, or one workflow. */
  | { readonly kind: 'workflow'; readonly workflow: WorkflowDocument }
  /** Several workflows, which can be imported but not pasted into one. */
  | { readonly kind: 'workflows'; readonly workflows: readonly WorkflowDocument[] };

/**
 * Reads a pasted text: n8n's or Weft's nodes, an export, a list of workflows, a response of `GET /workflows`, or a curl
 * command, which becomes an HTTP request node.
 * @throws EditError `INVALID_JSON`, `NOT_A_WORKFLOW`, `TOO_LARGE`, `INVALID_CURL`
 */
export function readClipboard(text: string): ClipboardContent {
  const trimmed = text.replace(/^\ufeff/, '').trim();
  if (trimmed === '') throw new EditError('NOT_A_WORKFLOW', 'The text is empty.');
  if (isCurl(trimmed)) {
    const workflow = { nodes: [requestNodeOf(trimmed)], connections: {} };
    return { kind: 'workflow', workflow: openDocument(JSON.stringify(workflow)) };
  }
  if (!/^[[{]/.test(trimmed))
    throw new EditError('NOT_A_WORKFLOW', 'The text must be the JSON of nodes or workflows, or a curl command.');
  const json = jsonOf(parseChecked(trimmed, 'The text'));
  const places = placesOf(json);
  if (places === undefined)
    throw new EditError('NOT_A_WORKFLOW', 'The JSON contains no workflow: an object with an array `nodes`.');
  const { paths, isList } = places;
  if (paths.length > MAX_WORKFLOWS)
    throw new EditError('TOO_LARGE', `The text contains ${paths.length} workflows. ${MAX_WORKFLOWS} is the limit.`);
  const tree = treeOf(trimmed);
  const workflows = paths.map((path, index) => {
    const node = nodeAt(tree, path);
    const raw = node === undefined ? '' : trimmed.slice(node.offset, node.offset + node.length);
    const workflow = openDocument(new RawJson(raw, indentOfLine(trimmed, node?.offset ?? 0)).at(''));
    checkWorkflow(workflow.json, isList ? `Workflow ${index + 1}: ` : '');
    return workflow;
  });
  const [only] = workflows;
  return only !== undefined && workflows.length === 1
    ? { kind: 'workflow', workflow: only }
    : { kind: 'workflows', workflows };
}

function jsonOf(value: unknown): Json {
  return isJsonObject(value) || Array.isArray(value) ? value : null;
}

/** Where the workflows of a JSON value are; undefined if it contains none. */
function placesOf(json: Json): { readonly paths: Path[]; readonly isList: boolean } | undefined {
  if (isWorkflow(json)) return { paths: [[]], isList: false };
  if (Array.isArray(json)) return listAt(json, []);
  if (!isJsonObject(json)) return undefined;
  for (const key of ['data', 'workflow', 'workflows']) {
    const inner = Object.hasOwn(json, key) ? json[key] : undefined;
    if (isWorkflow(inner)) return { paths: [[key]], isList: false };
    if (Array.isArray(inner)) return listAt(inner, [key]);
  }
  return undefined;
}

function listAt(list: readonly Json[], path: Path): ReturnType<typeof placesOf> {
  const wrong = list.findIndex((entry) => !isWorkflow(entry));
  if (list.length === 0) return undefined;
  if (wrong >= 0)
    throw new EditError(
      'NOT_A_WORKFLOW',
      `Entry ${wrong + 1} of the list is not a workflow: it has no array \`nodes\`.`,
    );
  return { paths: list.map((_, index) => [...path, index]), isList: true };
}

function isWorkflow(value: Json | undefined): value is JsonObject {
  return isJsonObject(value) && Array.isArray(value['nodes']);
}

/** Nodes on the clipboard have no name of a workflow. */
function checkWorkflow(json: JsonObject, where: string): void {
  const [error] = checkShape({ name: '', ...json });
  if (error !== undefined) throw new EditError('NOT_A_WORKFLOW', where + error.message);
}
