import { isJsonObject, MAX_PORT_INDEX, type Json } from '@weft/node-catalogue/definitions';
import { editDocument, shown, valueAt, type EditResult, type WorkflowDocument } from '../document';
import { EditError } from '../edit-error';
import type { PathEdit } from '../json/plan-changes';

/** A link between two nodes. */
export interface LinkRef {
  readonly from: string;
  readonly output: number;
  readonly to: string;
  readonly input: number;
  /** Type of the connection; `main` if absent. */
  readonly type?: string;
}

/** A link with its place in `connections[from][type][output]`. */
export interface PlacedLink {
  readonly link: Required<LinkRef>;
  readonly at: number;
}

/** All links as they are written, those of other types and to missing nodes included. */
export function allLinks(document: WorkflowDocument): PlacedLink[] {
  const { connections } = document.json;
  if (!isJsonObject(connections)) return [];
  return Object.entries(connections).flatMap(([from, byType]) =>
    Object.entries(isJsonObject(byType) ? byType : {}).flatMap(([type, outputs]) =>
      (Array.isArray(outputs) ? outputs : []).flatMap((ends, output) =>
        (Array.isArray(ends) ? ends : []).flatMap((end, at) => {
          const link = linkOf(from, type, output, end);
          return link === undefined ? [] : [{ link, at }];
        }),
      ),
    ),
  );
}

function linkOf(from: string, type: string, output: number, end: Json): Required<LinkRef> | undefined {
  if (!isJsonObject(end) || typeof end['node'] !== 'string') return undefined;
  const { node, index } = end;
  return { from, output, to: node, input: typeof index === 'number' ? index : 0, type };
}

/** A key that is equal for equal links. */
export function linkKey({ from, output, to, input, type = 'main' }: LinkRef): string {
  return JSON.stringify([from, type, output, to, input]);
}

/** The keys of all links. */
export function linkKeys(document: WorkflowDocument): Set<string> {
  return new Set(allLinks(document).map(({ link }) => linkKey(link)));
}

/** Adds a link; one that exists already is not added again. @throws EditError `UNKNOWN_NODE`, `INVALID_VALUE` */
export function connect(document: WorkflowDocument, link: LinkRef): EditResult {
  document.indexesOf(link.from);
  document.indexesOf(link.to);
  const edits = linkKeys(document).has(linkKey(link)) ? [] : linkEdits(document, [link]);
  return editDocument(document, `Connect ${shown(link.from)} to ${shown(link.to)}`, edits);
}

/** Edits that add links, which do not exist yet. @throws EditError `INVALID_VALUE` */
export function linkEdits(document: WorkflowDocument, links: readonly LinkRef[]): PathEdit[] {
  const edits: PathEdit[] = [];
  const counts = new Map<string, number>();
  for (const { from, output, to, input, type = 'main' } of links) {
    for (const port of [output, input]) {
      if (!Number.isInteger(port) || port < 0 || port > MAX_PORT_INDEX)
        throw new EditError('INVALID_VALUE', `A port must be an integer from 0 to ${MAX_PORT_INDEX}.`);
    }
    const path = ['connections', from, type];
    const outputs = valueAt(document.json, path);
    const present = Array.isArray(outputs) ? outputs : [];
    const key = JSON.stringify(path);
    let count = counts.get(key) ?? present.length;
    // Outputs in between have no links, and some editors write an output without links as null.
    for (; count <= output; count += 1) edits.push({ kind: 'set', path: [...path, count], value: [] });
    counts.set(key, count);
    if (output < present.length && !Array.isArray(present[output]))
      edits.push({ kind: 'set', path: [...path, output], value: [] });
    edits.push({ kind: 'append', path: [...path, output], value: { node: to, type, index: input } });
  }
  return edits;
}

/** Removes a link. @throws EditError `INVALID_VALUE` if there is no such link */
export function disconnect(document: WorkflowDocument, link: LinkRef): EditResult {
  const edits = unlinkEdits(document, (one) => linkKey(one) === linkKey(link));
  if (edits.length === 0)
    throw new EditError('INVALID_VALUE', `No such link leads from ${shown(link.from)} to ${shown(link.to)}.`);
  return editDocument(document, `Disconnect ${shown(link.from)} from ${shown(link.to)}`, edits);
}

/** Edits that remove links. */
export function unlinkEdits(document: WorkflowDocument, isRemoved: (link: Required<LinkRef>) => boolean): PathEdit[] {
  return allLinks(document)
    .filter(({ link }) => isRemoved(link))
    .map(({ link, at }) => ({ kind: 'remove', path: ['connections', link.from, link.type, link.output, at] }));
}
