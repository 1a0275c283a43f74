import { openDocument, openDocumentAt, type WorkflowDocument } from './document';
import {
  addEdit,
  changeCount,
  followServer,
  isChanged,
  openNode,
  recordSave,
  redoEdit,
  replaceDocument,
  selectNodes,
  startEditing,
  undoEdit,
  type Editing,
} from './editing';
import { setParameter } from './operations/node-fields';
import { removeNodes } from './operations/nodes';
import { renameNode } from './operations/rename-node';
import { sample, SAMPLE } from './testing/sample';

const textOf = ({ history }: Editing): string => history.document.text;

const set = (editing: Editing, value: string): Editing =>
  addEdit(editing, setParameter(editing.history.document, 'Set', ['a2'], value));

describe('work on a workflow', () => {
  it('is unchanged at first, and again after its only edit is undone', () => {
    const first = startEditing(sample());
    const edited = set(first, 'tea');
    expect([first, edited, undoEdit(edited)].map(changeCount)).toEqual([0, 1, 0]);
    expect(textOf(undoEdit(edited))).toBe(SAMPLE);
    expect(textOf(redoEdit(undoEdit(edited)))).toBe(textOf(edited));
  });

  it('counts steps since the last save, in both directions', () => {
    const two = set(set(startEditing(sample()), 'one'), 'two');
    const saved = recordSave(two, two.history.document, two.history.document);
    expect([two, saved, undoEdit(saved), undoEdit(undoEdit(saved))].map(changeCount)).toEqual([2, 0, 1, 2]);
  });

  it('keeps edits that were made while it was saved', () => {
    const sent = set(startEditing(sample()), 'sent');
    const meanwhile = set(sent, 'later');
    const saved = recordSave(meanwhile, sent.history.document, sent.history.document);
    expect(isChanged(saved)).toBe(true);
    expect(textOf(saved)).toBe(textOf(meanwhile));
    expect(textOf(undoEdit(saved))).toBe(textOf(sent));
  });

  it('takes over what the server completed, as a part of the step before', () => {
    const sent = set(startEditing(sample()), 'sent');
    const completed = openDocument(textOf(sent).replace('"id": "b"', '"id": "completed"'));
    const saved = recordSave(sent, sent.history.document, completed);
    expect(isChanged(saved)).toBe(false);
    expect(textOf(saved)).toBe(completed.text);
    expect(textOf(undoEdit(saved))).toBe(SAMPLE);
    expect(textOf(redoEdit(undoEdit(saved)))).toBe(completed.text);
  });

  it('can undo a replacement of the whole document', () => {
    const other = setParameter(sample(), 'Set', ['a2'], 'other').document;
    const replaced = replaceDocument(startEditing(sample()), other, 'Restore');
    expect(textOf(replaced)).toBe(other.text);
    expect(replaced.history.undo.at(-1)?.label).toBe('Restore');
    expect(textOf(undoEdit(replaced))).toBe(SAMPLE);
  });

  it('shows another version of the server without steps', () => {
    const other = setParameter(sample(), 'Set', ['a2'], 'other').document;
    const following = followServer(set(startEditing(sample()), 'mine'), other);
    expect([changeCount(following), following.history.undo.length]).toEqual([0, 0]);
    expect(textOf(following)).toBe(other.text);
  });
});

describe('the selection', () => {
  const renamed = (editing: Editing): Editing => addEdit(editing, renameNode(editing.history.document, 'Set', 'Shape'));

  it('follows a renamed node, also when the name is undone', () => {
    const after = renamed(openNode(startEditing(sample()), 'Set'));
    expect([after.opened, after.selected]).toEqual(['Shape', ['Shape']]);
    expect(undoEdit(after).opened).toBe('Set');
  });

  it('forgets a removed node', () => {
    const open = openNode(startEditing(sample()), 'Set');
    const after = addEdit(open, removeNodes(open.history.document, ['Set']));
    expect([after.opened, after.selected]).toEqual([undefined, []]);
  });

  it('contains each existing node once', () => {
    expect(selectNodes(startEditing(sample()), ['If', 'Nobody', 'If', 'Set']).selected).toEqual(['If', 'Set']);
  });
});

describe('a workflow within a response', () => {
  const open = (text: string): WorkflowDocument => openDocumentAt(text, ['data', 'definition']);

  it('keeps its bytes', () => {
    expect(open(`{"data":{"versionId":"v","definition":${SAMPLE}}}`).text).toBe(SAMPLE.trim());
  });

  it('is refused if it is not there', () => {
    expect(() => open('{"data":{}}')).toThrow(expect.objectContaining({ code: 'INVALID_JSON' }));
  });
});
