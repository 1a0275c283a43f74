import {
  field,
  isJsonObject,
  listField,
  readDefinition,
  textField,
  type Json,
  type JsonObject,
  type NodeDefinition,
  type WorkflowDefinition,
} from '@weft/node-catalogue/definitions';
import type { Node } from 'jsonc-parser';
import { EditError } from './edit-error';
import { parseChecked } from './json/check-text';
import { planChanges, type PathEdit } from './json/plan-changes';
import { indentOfLine } from './json/style';
import { nodeAt, treeOf, type Path } from './json/tree';
import { RawJson } from './json/value';
import { applyChanges, changeBetween, inverseOf, type TextChange } from './text-changes';

/**
 * A workflow as its JSON text, with views of it. Immutable: an edit gives a new document, in which everything that was
 * not edited has the same bytes. Create one with `openDocument`.
 */
export class WorkflowDocument {
  #tree: Node | undefined;
  #definition: WorkflowDefinition | undefined;
  #entries: readonly NodeEntry[] | undefined;

  constructor(
    /** The text to save. */
    readonly text: string,
    /** The parsed text. Do not change it. */
    readonly json: JsonObject,
  ) {}

  /** The workflow as the engine reads it; fields that it does not use are only in `json`. */
  get definition(): WorkflowDefinition {
    return (this.#definition ??= readDefinition(this.json));
  }

  /** The syntax tree of the text, with offsets. */
  get tree(): Node {
    return (this.#tree ??= treeOf(withoutMark(this.text)));
  }

  /** The text of the value at a path, or undefined. */
  rawAt(path: Path): RawJson | undefined {
    const node = nodeAt(this.tree, path);
    if (node === undefined) return undefined;
    return new RawJson(this.text.slice(node.offset, node.offset + node.length), indentOfLine(this.text, node.offset));
  }

  /** Entries of `nodes` that are objects with a name. */
  entries(): readonly NodeEntry[] {
    return (this.#entries ??= entriesOf(this.json));
  }

  /**
   * Indexes in `nodes` of the node with this name. More than one in workflows that list a node twice: edits change all
   * of them.
   * @throws EditError `UNKNOWN_NODE`
   */
  indexesOf(name: string): number[] {
    const found = this.entries().flatMap((entry) => (entry.name === name ? [entry.index] : []));
    if (found.length === 0) throw new EditError('UNKNOWN_NODE', `The workflow has no node called ${shown(name)}.`);
    return found;
  }

  /** The node with this name. @throws EditError `UNKNOWN_NODE` */
  node(name: string): NodeDefinition {
    const node = this.definition.nodes.find((one) => one.name === name);
    if (node === undefined) throw new EditError('UNKNOWN_NODE', `The workflow has no node called ${shown(name)}.`);
    return node;
  }
}

/** A node as it is listed in `nodes`. */
export interface NodeEntry {
  readonly index: number;
  readonly name: string;
  readonly json: JsonObject;
}

function entriesOf(workflow: JsonObject): NodeEntry[] {
  return listField(workflow, 'nodes').flatMap((json, index) => {
    const name = textField(json, 'name');
    return isJsonObject(json) && name !== undefined ? [{ index, name, json }] : [];
  });
}

/**
 * Opens the text of a workflow: what `GET /workflows/:id` returns as `data`, an export, or a file.
 * @throws EditError `INVALID_JSON`, or `NOT_A_WORKFLOW` if it is not an object with an array `nodes`
 */
export function openDocument(text: string): WorkflowDocument {
  const json = parseChecked(withoutMark(text), 'The workflow');
  if (!isJsonObject(json) || !Array.isArray(json['nodes']))
    throw new EditError('NOT_A_WORKFLOW', 'A workflow must be a JSON object with an array `nodes`.');
  return new WorkflowDocument(text, json);
}

/**
 * Opens a workflow within a larger JSON text, such as the definition in a response, with the same bytes.
 * @param path of the workflow in the text
 * @throws EditError as `openDocument`
 */
export function openDocumentAt(text: string, path: Path): WorkflowDocument {
  parseChecked(text, 'The text');
  const node = nodeAt(treeOf(text), path);
  return openDocument(node === undefined ? '' : text.slice(node.offset, node.offset + node.length));
}

/** An edit of a document's text, for the history and the label of its undo command. */
export interface Edit {
  /** For example `Rename "Set"`. */
  readonly label: string;
  /** Changes of the text before. */
  readonly changes: readonly TextChange[];
}

/** The result of an operation. `inverse`, applied to `document`, restores the text before, byte for byte. */
export interface EditResult {
  readonly document: WorkflowDocument;
  readonly edit: Edit;
  readonly inverse: Edit;
}

/**
 * Edits a document by paths.
 * @throws EditError if the result would not be a workflow, or too large
 */
export function editDocument(document: WorkflowDocument, label: string, edits: readonly PathEdit[]): EditResult {
  return applyEdit(document, { label, changes: planChanges(document.text, document.tree, edits) });
}

/** Applies an edit that was made for this text. @throws EditError if the result would not be a workflow */
export function applyEdit(document: WorkflowDocument, edit: Edit): EditResult {
  const inverse = { label: edit.label, changes: inverseOf(document.text, edit.changes) };
  if (edit.changes.length === 0) return { document, edit, inverse };
  return { document: openDocument(applyChanges(document.text, edit.changes)), edit, inverse };
}

/** The edit that leads from one document to another. */
export function editBetween(before: WorkflowDocument, label: string, after: WorkflowDocument): EditResult {
  const changes = changeBetween(before.text, after.text);
  const inverse = { label, changes: inverseOf(before.text, changes) };
  return { document: changes.length === 0 ? before : after, edit: { label, changes }, inverse };
}

/** A name in a message. */
export function shown(name: string): string {
  return JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name);
}

/** Nodes in the label of an edit: the name of a single node, or their number. */
export function shownNodes(names: readonly string[]): string {
  const [only] = names;
  return names.length === 1 && only !== undefined ? shown(only) : `${names.length} nodes`;
}

/** The JSON value at a path, or undefined. */
export function valueAt(value: Json | undefined, path: Path): Json | undefined {
  return path.reduce<Json | undefined>((inner, step) => {
    if (typeof step === 'string') return field(inner, step);
    return Array.isArray(inner) ? inner[step] : undefined;
  }, value);
}

/** A byte order mark becomes a space, so that offsets stay. */
function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? ` ${text.slice(1)}` : text;
}
