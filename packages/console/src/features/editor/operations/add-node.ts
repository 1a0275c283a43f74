import type { NodeType } from '@weft/client';
import { typeOf } from '@weft/node-catalogue/definitions';
import {
  addNode,
  freeName,
  insertIntoLink,
  type LinkRef,
  type NewNode,
  setNodeField,
  setParameter,
  type WorkflowDocument,
} from '@weft/workflow-edit';
import { blankCondition, blankFilter } from '@weft/workflow-edit/form';
import { newId } from '../../../ui/values/new-id';
import type { PaletteAnchor } from '../dialogs/dialog';
import type { Editor } from '../editor-context';
import { boxesOf } from './ports';
import { countUse } from '../palette/uses';

type Corner = readonly [number, number];

/** Distance between the corners of connected nodes. */
const STEP_X = 264;
const STEP_Y = 96;
/** From the corner of a sub-node to the next one, and from a node to those below it. */
const SUB_NODE_STEP: Corner = [232, 0];
const SUB_NODE_GAP = 88;
/** Tries of finding a place without another node. */
const MAX_TRIES = 200;

/** The nearest free place in a direction: below, unless said otherwise. */
const freePlace = (
  editor: Pick<Editor, 'document' | 'kinds'>,
  [x, y]: Corner,
  [stepX, stepY]: Corner = [0, STEP_Y],
): Corner => {
  const boxes = [...boxesOf(editor).values()];
  let [left, top] = [x, y];
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const isTaken = boxes.some((box) => Math.abs(box.x - left) < 200 && Math.abs(box.y - top) < box.height + 16);
    if (!isTaken) break;
    left += stepX;
    top += stepY;
  }
  return [Math.round(left), Math.round(top)];
};

const isSub = (end: { readonly type?: string } | undefined): boolean => (end?.type ?? 'main') !== 'main';

/** Where a new node goes. */
const placeOf = (editor: Pick<Editor, 'document' | 'kinds'>, { at, from, to, link }: PaletteAnchor): Corner => {
  if (at !== undefined) return [Math.round(at[0]), Math.round(at[1])];
  const boxes = boxesOf(editor);
  const before = boxes.get(from?.node ?? link?.from ?? '');
  if (before !== undefined && isSub(from))
    return freePlace(editor, [before.x, before.y - 2 * SUB_NODE_GAP], SUB_NODE_STEP);
  if (before !== undefined) return freePlace(editor, [before.x + STEP_X, before.y]);
  const after = boxes.get(to?.node ?? '');
  if (after !== undefined && isSub(to))
    return freePlace(editor, [after.x - 40, after.y + after.height + SUB_NODE_GAP], SUB_NODE_STEP);
  if (after !== undefined) return freePlace(editor, [after.x - STEP_X, after.y]);
  const all = [...boxes.values()];
  if (all.length === 0) return [0, 0];
  return freePlace(editor, [Math.min(...all.map(({ x }) => x)), Math.max(...all.map(({ y }) => y)) + STEP_Y]);
};

const linkTo = (name: string, { from, to }: PaletteAnchor): LinkRef | undefined => {
  if (from !== undefined)
    return { from: from.node, output: from.output, to: name, input: 0, type: from.type ?? 'main' };
  if (to !== undefined) return { from: name, output: 0, to: to.node, input: to.input, type: to.type ?? 'main' };
  return undefined;
};

/** Webhooks and forms have an address of their own until the user gives them a path. */
const hasAddress = ({ isTrigger, parameters }: NodeType): boolean =>
  isTrigger && parameters.some(({ name }) => name === 'path');

/** Adds a node of a kind, connects it, and opens its form, as one step. Returns its name. */
export const addKind = (editor: Editor, type: NodeType, anchor: PaletteAnchor): string => {
  const taken = new Set(editor.document.entries().map(({ name }) => name));
  const name = freeName(type.label, taken);
  const group = newId();
  const node: NewNode = {
    id: newId(),
    name,
    // Kinds of other packages are named by the whole type.
    type: typeOf(type.kind),
    typeVersion: type.versions.at(-1) ?? 1,
    position: placeOf(editor, anchor),
  };
  const { link } = anchor;
  editor.edit(
    (document) =>
      link === undefined ? addNode(document, node, linkTo(name, anchor)) : insertIntoLink(document, node, link),
    group,
  );
  if (hasAddress(type)) {
    const webhookId = newId();
    editor.edit((document: WorkflowDocument) => setNodeField(document, name, 'webhookId', webhookId), group);
    editor.edit((document: WorkflowDocument) => setParameter(document, name, ['path'], webhookId), group);
  }
  const filter = type.parameters.find((one) => one['type'] === 'filter' && one['name'] === 'conditions');
  if (filter !== undefined) {
    // A node that decides is added to write a condition.
    const conditions = { ...blankFilter(), conditions: [blankCondition(newId())] };
    editor.edit((document: WorkflowDocument) => setParameter(document, name, ['conditions'], conditions), group);
  }
  editor.open(name);
  countUse(type.kind);
  return name;
};

/** Adds a note. */
export const addNote = (editor: Editor, at: Corner): void => {
  const type = editor.kinds.get('stickyNote');
  if (type !== undefined) addKind(editor, type, { at });
};
