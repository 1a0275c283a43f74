import type { NodeType } from '@weft/client';
import type { NodeDefinition } from '@weft/node-catalogue/definitions';
import { type NodeBox, outlineOf, type OutlineEntry, type Port } from '@weft/workflow-edit';
import { kindOfNode, typeOfKind } from '../../graph/kinds';
import { isDrawable, MIN_DISTANCE, placing, stretchFor } from '../../graph/placing';
import type { Editor } from '../editor-context';
import { openInputs } from '../operations/attachments';
import { kindTable } from '../operations/kind-table';
import { linkId, linksOfDocument, type TypedLink } from '../operations/links';
import { boxesOf } from '../operations/ports';

/** A node as it is drawn. Its position is that of the canvas; see `toCanvas`. */
export interface CanvasNodeModel {
  /** Safe within selectors, which the library builds from it; names may be hostile. */
  readonly id: string;
  readonly name: string;
  readonly node: NodeDefinition;
  readonly kind: string;
  readonly type: NodeType | undefined;
  readonly box: NodeBox;
  readonly x: number;
  readonly y: number;
  /** Keys of the outputs without a link. */
  readonly freeOutputs: ReadonlySet<string>;
  /** Inputs to which a sub-node can be added. */
  readonly openInputs: readonly Port[];
}

export interface CanvasModel {
  /** In the order in which they run, which is the order of the focus. */
  readonly nodes: readonly CanvasNodeModel[];
  readonly links: readonly (TypedLink & { readonly id: string; readonly isBack: boolean })[];
  readonly byName: ReadonlyMap<string, CanvasNodeModel>;
  readonly names: ReadonlyMap<string, string>;
}

const GRID_COLUMNS = 8;
const GRID_ROW = 120;

/** Makes an id of any string that is safe in attributes, selectors and addresses. Different strings differ. */
export const safeId = (text: string): string =>
  text.replace(/[^a-zA-Z0-9-]/g, (character) => `_${character.charCodeAt(0).toString(16)}_`);

/** Identifies a port of a node. */
export const portKey = ({ type, index }: { readonly type: string; readonly index: number }): string =>
  `${safeId(type)}-${index}`;

/** How far apart nodes are drawn. Constant while a workflow is edited, so that no node moves unless a user moves it. */
export const stretchOf = (editor: Pick<Editor, 'document' | 'kinds'>): number => {
  const boxes = boxesOf(editor);
  const links = linksOfDocument(editor.document).filter(({ type }) => type === 'main');
  return stretchFor(links.map(({ from, to }) => (boxes.get(to)?.x ?? 0) - (boxes.get(from)?.x ?? 0)));
};

/** A position of the canvas as one of the definition. */
export const toDefinition = (x: number, y: number, stretch: number): readonly [number, number] => [
  Math.round(x / stretch),
  Math.round(y),
];

const namesInOrder = (entries: readonly OutlineEntry[]): string[] =>
  entries.flatMap(({ name, subNodes, branches }) => [
    name,
    ...namesInOrder(subNodes),
    ...branches.flatMap(namesInOrder),
  ]);

/** Reads a document as far as it can be drawn. */
export const canvasModel = (editor: Pick<Editor, 'document' | 'kinds'>, stretch: number): CanvasModel => {
  const { document, kinds } = editor;
  const boxes = boxesOf(editor);
  const links = linksOfDocument(document);
  const used = new Set(links.map(({ from, type, output }) => `${from}\n${portKey({ type, index: output })}`));
  const definitions = new Map(document.definition.nodes.map((node) => [node.name, node]));
  const place = placing();
  const order = namesInOrder(outlineOf(document.definition, kindTable(kinds)));
  const nodes = order.flatMap((name, at): CanvasNodeModel[] => {
    const [box, node] = [boxes.get(name), definitions.get(name)];
    if (box === undefined || node === undefined) return [];
    const isPlaced = isDrawable(box.x) && isDrawable(box.y);
    const column = (at % GRID_COLUMNS) * MIN_DISTANCE;
    const [x, y] = isPlaced
      ? place(Math.round(box.x * stretch), Math.round(box.y))
      : place(column, Math.floor(at / GRID_COLUMNS) * GRID_ROW);
    const kind = kindOfNode(node.type);
    const type = typeOfKind(kinds, kind);
    const freeOutputs = box.outputs.map(portKey).filter((key) => !used.has(`${name}\n${key}`));
    const shared = { id: safeId(name), name, node, kind, type, box, x, y };
    return [{ ...shared, freeOutputs: new Set(freeOutputs), openInputs: openInputs(editor, name) }];
  });
  const byName = new Map(nodes.map((node) => [node.name, node]));
  return {
    nodes,
    byName,
    names: new Map(nodes.map(({ id, name }) => [id, name])),
    links: links.map((link) => ({
      ...link,
      id: safeId(linkId(link)),
      // Around the nodes rather than through them, back to an earlier node.
      isBack: link.type === 'main' && (byName.get(link.to)?.x ?? 0) <= (byName.get(link.from)?.x ?? 0),
    })),
  };
};
