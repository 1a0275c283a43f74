import { isJsonObject, MAX_NODES, type Json, type JsonObject } from '@weft/node-catalogue/definitions';
import { editBetween, editDocument, shown, shownNodes, type EditResult, type WorkflowDocument } from '../document';
import { EditError } from '../edit-error';
import type { PathEdit } from '../json/plan-changes';
import { connect, disconnect, linkEdits, unlinkEdits, type LinkRef } from './links';
import { checkNewName } from './names';

/** A node to add. */
export interface NewNode {
  /** A UUID, unique within the workflow. */
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly typeVersion: number;
  readonly position: readonly [number, number];
  readonly parameters?: JsonObject;
}

/**
 * Adds a node, and perhaps a link to it or from it.
 * @param link its other end must exist
 * @throws EditError `INVALID_NAME`, `NAME_TAKEN`, `TOO_LARGE`; as `connect`
 */
export function addNode(document: WorkflowDocument, node: NewNode, link?: LinkRef): EditResult {
  checkNewName(document, node.name);
  checkCount(document, 1);
  const { id, name, type, typeVersion, position, parameters = {} } = node;
  const value = { parameters, id, name, type, typeVersion, position: [...position] };
  if (link !== undefined) document.indexesOf(link.from === name ? link.to : link.from);
  return editDocument(document, `Add ${shown(name)}`, [
    { kind: 'append', path: ['nodes'], value },
    ...(link === undefined ? [] : linkEdits(document, [link])),
  ]);
}

/** @throws EditError `TOO_LARGE` if the workflow cannot have `count` more nodes */
export function checkCount(document: WorkflowDocument, count: number): void {
  if (document.entries().length + count > MAX_NODES)
    throw new EditError('TOO_LARGE', `A workflow can have ${MAX_NODES.toLocaleString('en')} nodes at most.`);
}

/**
 * Removes nodes with their links, pins and stored state. Expressions that refer to them stay as they are.
 * @throws EditError `UNKNOWN_NODE`
 */
export function removeNodes(document: WorkflowDocument, names: readonly string[]): EditResult {
  const gone = new Set(names);
  const nodes = names.flatMap((name) =>
    document.indexesOf(name).map((index): PathEdit => ({ kind: 'remove', path: ['nodes', index] })),
  );
  return editDocument(document, `Remove ${shownNodes(names)}`, [
    ...nodes,
    ...names.map((name): PathEdit => ({ kind: 'remove', path: ['connections', name] })),
    ...unlinkEdits(document, ({ from, to }) => gone.has(to) && !gone.has(from)),
    ...names.flatMap((name): PathEdit[] => [
      { kind: 'remove', path: ['pinData', name] },
      { kind: 'remove', path: ['staticData', `node:${name}`] },
    ]),
  ]);
}

/** Sets the items that replace the output of a node in manual runs. @throws EditError */
export function pinItems(document: WorkflowDocument, name: string, items: readonly Json[]): EditResult {
  document.indexesOf(name);
  if (!items.every((item) => isJsonObject(item) && isJsonObject(item['json'])))
    throw new EditError('INVALID_VALUE', 'Each pinned item must be an object with an object `json`.');
  return editDocument(document, `Pin ${shown(name)}`, [{ kind: 'set', path: ['pinData', name], value: [...items] }]);
}

/** Removes the pinned items of a node. @throws EditError `UNKNOWN_NODE` */
export function unpinItems(document: WorkflowDocument, name: string): EditResult {
  document.indexesOf(name);
  return editDocument(document, `Unpin ${shown(name)}`, [{ kind: 'remove', path: ['pinData', name] }]);
}

/**
 * Inserts a node into a link: the link then leads to the node, and a new link leads on.
 * @throws EditError as `addNode`, `disconnect` and `connect`
 */
export function insertIntoLink(document: WorkflowDocument, node: NewNode, link: LinkRef): EditResult {
  const added = addNode(document, node);
  const cut = disconnect(added.document, link);
  const before = connect(cut.document, { ...link, to: node.name, input: 0 });
  const after = connect(before.document, { ...link, from: node.name, output: 0 });
  return editBetween(document, added.edit.label, after.document);
}
