import { disconnect, duplicateNodes, removeNodes, setDisabled, unpinItems } from '@weft/workflow-edit';
import type { MenuEntry } from '../../../ui/overlays/menu';
import { memberOf } from '../../../ui/values/json';
import { newId } from '../../../ui/values/new-id';
import { copySelection } from '../clipboard/copy';
import type { Editor } from '../editor-context';
import { nounOf, openInputs } from './attachments';
import { portsOf } from './ports';

/** Nodes that a command on one of them is about: all selected ones, if it is among them. */
export const nodesOf = ({ selected }: Editor, name: string): readonly string[] =>
  selected.includes(name) ? selected : [name];

export const isPinned = ({ document }: Pick<Editor, 'document'>, name: string): boolean =>
  memberOf(document.json['pinData'], name) !== undefined;

/** Removes nodes with their links. */
export const removeAll = ({ edit }: Editor, names: readonly string[]): void => {
  if (names.length > 0) edit((document) => removeNodes(document, names));
};

/** Disables nodes, or enables them if all are disabled. */
export const toggleDisabled = ({ edit, document }: Editor, names: readonly string[]): void => {
  const nodes = document.definition.nodes.filter(({ name }) => names.includes(name));
  const isDisabled = nodes.every(({ disabled }) => disabled === true);
  if (names.length > 0) edit((now) => setDisabled(now, names, !isDisabled));
};

/** Adds copies of nodes, and selects them. */
export const duplicateAll = ({ edit, document, select }: Editor, names: readonly string[]): void => {
  if (names.length === 0) return;
  const before = new Set(document.entries().map(({ name }) => name));
  let added: readonly string[] = [];
  edit((now) => {
    const result = duplicateNodes(now, names, newId);
    added = result.document.entries().flatMap(({ name }) => (before.has(name) ? [] : [name]));
    return result;
  });
  select(added);
};

/** Menu of a node; the same in the graph and in the outline. */
export const nodeEntries = (editor: Editor, name: string): readonly MenuEntry[] => {
  const { ask, edit, open, isReadOnly, document } = editor;
  const names = nodesOf(editor, name);
  const all = names.length > 1 ? `${names.length} nodes` : undefined;
  const copy: MenuEntry = { label: 'Copy', icon: 'copy', act: () => void copySelection(editor, names) };
  if (isReadOnly) return [{ label: 'Open', icon: 'next', act: () => open(name) }, copy];
  const outputs = portsOf(editor, name).outputs.filter(({ type }) => type === 'main');
  const node = document.definition.nodes.find((one) => one.name === name);
  return [
    { label: 'Open', icon: 'next', act: () => open(name) },
    ...outputs.slice(0, 6).map(({ index, label }): MenuEntry => ({
      label: outputs.length > 1 ? `Add after ${label ?? index} …` : 'Add after …',
      icon: 'plus',
      act: () => ask({ kind: 'palette', anchor: { from: { node: name, output: index } } }),
    })),
    ...openInputs(editor, name).map(({ type, index }): MenuEntry => ({
      label: `Add ${nounOf(type)}${index > 0 ? ` ${index + 1}` : ''} …`,
      icon: 'plus',
      act: () => ask({ kind: 'palette', anchor: { to: { node: name, input: index, type } } }),
    })),
    { label: 'Connect …', icon: 'split', act: () => ask({ kind: 'links', node: name }) },
    { label: 'Rename …', icon: 'pen', act: () => ask({ kind: 'rename', node: name }) },
    { label: 'Move …', icon: 'fit', act: () => ask({ kind: 'move', node: name }) },
    copy,
    { label: `Duplicate ${all ?? ''}`.trim(), icon: 'plus', act: () => duplicateAll(editor, names) },
    {
      label: `${node?.disabled === true ? 'Enable' : 'Disable'} ${all ?? ''}`.trim(),
      icon: 'ban',
      act: () => toggleDisabled(editor, names),
    },
    ...(isPinned(editor, name)
      ? [{ label: 'Unpin', icon: 'pin' as const, act: () => edit((now) => unpinItems(now, name)) }]
      : []),
    { label: `Delete ${all ?? ''}`.trim(), icon: 'trash', isDanger: true, act: () => removeAll(editor, names) },
  ];
};

/** Removes a link. */
export const unlink = ({ edit }: Pick<Editor, 'edit'>, link: Parameters<typeof disconnect>[1]): void =>
  edit((document) => disconnect(document, link));
