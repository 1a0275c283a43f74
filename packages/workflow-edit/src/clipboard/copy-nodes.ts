import { isJsonObject } from '@weft/node-catalogue/definitions';
import type { WorkflowDocument } from '../document';
import { writeValue, type EditValue } from '../json/value';
import { allLinks } from '../operations/links';

/**
 * Nodes as the text for the clipboard, in n8n's form: with the links among them and their pins.
 * @throws EditError `UNKNOWN_NODE`
 */
export function copyNodes(document: WorkflowDocument, names: readonly string[]): string {
  const chosen = new Set(names);
  const nodes = names
    .flatMap((name) => document.indexesOf(name).slice(0, 1))
    .flatMap((index) => document.rawAt(['nodes', index]) ?? []);
  const { pinData } = document.json;
  const pins = names.flatMap((name): [string, EditValue][] => {
    const raw = isJsonObject(pinData) && Object.hasOwn(pinData, name) ? document.rawAt(['pinData', name]) : undefined;
    return raw === undefined ? [] : [[name, raw]];
  });
  const value = { nodes, connections: linksAmong(document, chosen), pinData: Object.fromEntries(pins) };
  return writeValue(value, { unit: '  ', lineEnd: '\n' }, '');
}

function linksAmong(document: WorkflowDocument, chosen: ReadonlySet<string>): EditValue {
  const byNode = new Map<string, Map<string, EditValue[][]>>();
  for (const { link } of allLinks(document)) {
    if (!chosen.has(link.from) || !chosen.has(link.to)) continue;
    const byType = byNode.get(link.from) ?? new Map<string, EditValue[][]>();
    const outputs = byType.get(link.type) ?? [];
    while (outputs.length <= link.output) outputs.push([]);
    outputs[link.output]?.push({ node: link.to, type: link.type, index: link.input });
    byNode.set(link.from, byType.set(link.type, outputs));
  }
  return Object.fromEntries([...byNode].map(([name, byType]) => [name, Object.fromEntries(byType)]));
}
