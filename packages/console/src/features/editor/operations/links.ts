import type { LinkRef, WorkflowDocument } from '@weft/workflow-edit';

/** A link as it is written, with its type. */
export type TypedLink = Required<LinkRef>;

const cache = new WeakMap<WorkflowDocument, readonly TypedLink[]>();

/** All links between existing nodes, of every type; each once. */
export const linksOfDocument = (document: WorkflowDocument): readonly TypedLink[] => {
  const known = cache.get(document);
  if (known !== undefined) return known;
  const { nodes, connections } = document.definition;
  const names = new Set(nodes.map(({ name }) => name));
  const links = new Map<string, TypedLink>();
  for (const [from, byType] of Object.entries(connections)) {
    if (!names.has(from)) continue;
    for (const [type, outputs] of Object.entries(byType))
      outputs.forEach((ends, output) => {
        for (const { node: to, index: input } of ends) {
          if (!names.has(to)) continue;
          const link = { from, output, to, input, type };
          links.set(linkId(link), link);
        }
      });
  }
  const all = [...links.values()];
  cache.set(document, all);
  return all;
};

/** Identifies a link within its workflow. */
export const linkId = ({ from, output, to, input, type }: TypedLink): string =>
  JSON.stringify([from, type, output, to, input]);
