import { editDocument, shown, valueAt, type EditResult, type WorkflowDocument } from '../document';
import type { PathEdit } from '../json/plan-changes';
import { referenceEdits } from '../references/rewrite';
import { allLinks } from './links';
import { checkNewName } from './names';

/**
 * Renames a node, with its links, pins and stored state, and all references to it in expressions and code.
 * @throws EditError `UNKNOWN_NODE`, `NAME_TAKEN`, `INVALID_NAME`, `UNSAFE_RENAME`
 */
export function renameNode(document: WorkflowDocument, from: string, to: string): EditResult {
  const indexes = document.indexesOf(from);
  if (from !== to) checkNewName(document, to);
  const edits =
    from === to ? [] : [...nameEdits(document, from, to, indexes), ...referenceEdits(document, new Map([[from, to]]))];
  return editDocument(document, `Rename ${shown(from)}`, edits);
}

function nameEdits(document: WorkflowDocument, from: string, to: string, indexes: readonly number[]): PathEdit[] {
  const keyed = [
    ['connections', from],
    ['pinData', from],
  ].filter((path) => valueAt(document.json, path) !== undefined);
  const state = ['staticData', `node:${from}`];
  return [
    ...indexes.map((index): PathEdit => ({ kind: 'set', path: ['nodes', index, 'name'], value: to })),
    // An entry of the new name has no node: it is left over from another one, and two entries cannot share a name.
    ...keyed.map(([field = '']): PathEdit => ({ kind: 'remove', path: [field, to] })),
    ...keyed.map((path): PathEdit => ({ kind: 'key', path, key: to })),
    ...(valueAt(document.json, state) === undefined
      ? []
      : [{ kind: 'key', path: state, key: `node:${to}` } satisfies PathEdit]),
    ...allLinks(document)
      .filter(({ link }) => link.to === from)
      .map(({ link, at }): PathEdit => ({
        kind: 'set',
        path: ['connections', link.from, link.type, link.output, at, 'node'],
        value: to,
      })),
  ];
}
