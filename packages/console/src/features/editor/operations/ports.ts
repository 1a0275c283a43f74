import { layOut, type NodeBox } from '@weft/workflow-edit';
import type { WorkflowDocument } from '@weft/workflow-edit';
import type { Editor } from '../editor-context';
import { kindTable } from './kind-table';

const cache = new WeakMap<WorkflowDocument, ReadonlyMap<string, NodeBox>>();

/** All nodes with their ports, as they are drawn; computed once for each document. */
export const boxesOf = ({ document, kinds }: Pick<Editor, 'document' | 'kinds'>): ReadonlyMap<string, NodeBox> => {
  const known = cache.get(document);
  if (known !== undefined) return known;
  const boxes = new Map(layOut(document.definition, kindTable(kinds)).map((box) => [box.name, box]));
  cache.set(document, boxes);
  return boxes;
};

/** Ports of a node. */
export const portsOf = (
  editor: Pick<Editor, 'document' | 'kinds'>,
  name: string,
): Pick<NodeBox, 'inputs' | 'outputs'> => boxesOf(editor).get(name) ?? { inputs: [], outputs: [] };
