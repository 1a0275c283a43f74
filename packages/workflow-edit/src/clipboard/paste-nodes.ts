import type { JsonObject } from '@weft/node-catalogue/definitions';
import { editDocument, openDocument, shownNodes, valueAt, type EditResult, type WorkflowDocument } from '../document';
import { EditError } from '../edit-error';
import { editText, type PathEdit } from '../json/plan-changes';
import { treeOf } from '../json/tree';
import { RawJson } from '../json/value';
import { allLinks, linkEdits } from '../operations/links';
import { checkName, freeName, namesOf } from '../operations/names';
import { checkCount } from '../operations/nodes';
import { referenceEdits } from '../references/rewrite';
import { copyNodes } from './copy-nodes';

/** How pasted nodes are placed and named. */
export interface PasteOptions {
  /** Position of the corner of all pasted nodes; absent: the positions that they bring. */
  readonly at?: readonly [number, number];
  /** Makes a UUID. Called for each node, and for each address of a webhook. */
  readonly newId: () => string;
}

/**
 * Adds the nodes of a workflow, with their links, pins and references among each other. Names that are taken get a
 * number; ids and addresses of webhooks are new.
 * @throws EditError `TOO_LARGE`, `INVALID_NAME`, `NOT_A_WORKFLOW` without nodes
 */
export function pasteNodes(document: WorkflowDocument, source: WorkflowDocument, options: PasteOptions): EditResult {
  const entries = source
    .entries()
    .filter(({ name }, index, all) => all.findIndex((one) => one.name === name) === index);
  if (entries.length === 0) throw new EditError('NOT_A_WORKFLOW', 'There are no nodes to paste.');
  checkCount(document, entries.length);
  const renames = newNames(document, entries);
  const shift = shiftOf(
    entries.map(({ json }) => positionOf(json)),
    options.at,
  );
  const changed = editDocument(source, '', referenceEdits(source, renames)).document;
  const nodes = entries.map(({ index, name, json }): PathEdit => {
    const [x, y] = positionOf(json);
    const raw = changed.rawAt(['nodes', index]) ?? new RawJson('{}');
    const text = editText(raw.text, treeOf(raw.text), [
      { kind: 'set', path: ['id'], value: options.newId() },
      { kind: 'set', path: ['name'], value: renames.get(name) ?? name },
      { kind: 'set', path: ['position'], value: [x + shift[0], y + shift[1]] },
      ...(typeof json['webhookId'] === 'string'
        ? [{ kind: 'set', path: ['webhookId'], value: options.newId() } satisfies PathEdit]
        : []),
    ]);
    return { kind: 'append', path: ['nodes'], value: new RawJson(text, raw.indent) };
  });
  return editDocument(document, `Paste ${shownNodes(entries.map(({ name }) => name))}`, [
    ...nodes,
    ...linksOf(document, source, renames),
    ...pinsOf(source, renames),
  ]);
}

/**
 * Adds copies of nodes next to them.
 * @param newId as in `PasteOptions`
 * @throws EditError `UNKNOWN_NODE`, `TOO_LARGE`
 */
export function duplicateNodes(document: WorkflowDocument, names: readonly string[], newId: () => string): EditResult {
  const source = openDocument(copyNodes(document, names));
  const [x, y] = shiftOf(
    source.entries().map(({ json }) => positionOf(json)),
    [0, 0],
  );
  return pasteNodes(document, source, { newId, at: [DUPLICATE_OFFSET - x, DUPLICATE_OFFSET - y] });
}

/** Distance of a copy from its original, in pixels to the right and downwards. */
const DUPLICATE_OFFSET = 40;

function newNames(document: WorkflowDocument, entries: readonly { readonly name: string }[]): Map<string, string> {
  const taken = namesOf(document);
  const renames = new Map<string, string>();
  for (const { name } of entries) {
    checkName(name);
    const free = freeName(name, taken);
    taken.add(free);
    renames.set(name, free);
  }
  return renames;
}

function linksOf(
  document: WorkflowDocument,
  source: WorkflowDocument,
  renames: ReadonlyMap<string, string>,
): PathEdit[] {
  const links = allLinks(source).flatMap(({ link }) => {
    const from = renames.get(link.from);
    const to = renames.get(link.to);
    return from === undefined || to === undefined ? [] : [{ ...link, from, to }];
  });
  // Entries of the new names are left over from nodes that do not exist.
  const left = [...renames.values()]
    .filter((name) => valueAt(document.json, ['connections', name]) !== undefined)
    .filter((name) => links.some(({ from }) => from === name));
  if (left.length > 0) {
    const cleared = editDocument(
      document,
      '',
      left.map((name) => ({ kind: 'remove', path: ['connections', name] })),
    ).document;
    const fresh = linkEdits(cleared, links);
    return [...left.map((name): PathEdit => ({ kind: 'set', path: ['connections', name], value: {} })), ...fresh];
  }
  return linkEdits(document, links);
}

function pinsOf(source: WorkflowDocument, renames: ReadonlyMap<string, string>): PathEdit[] {
  return [...renames].flatMap(([name, renamed]): PathEdit[] => {
    const items = valueAt(source.json, ['pinData', name]);
    const raw = Array.isArray(items) ? source.rawAt(['pinData', name]) : undefined;
    return raw === undefined ? [] : [{ kind: 'set', path: ['pinData', renamed], value: raw }];
  });
}

function positionOf(json: JsonObject): readonly [number, number] {
  const { position } = json;
  const [x, y] = Array.isArray(position) ? position : [];
  return [typeof x === 'number' ? x : 0, typeof y === 'number' ? y : 0];
}

function shiftOf(positions: readonly (readonly [number, number])[], at: PasteOptions['at']): readonly [number, number] {
  if (at === undefined) return [0, 0];
  return [at[0] - Math.min(...positions.map(([x]) => x)), at[1] - Math.min(...positions.map(([, y]) => y))];
}
