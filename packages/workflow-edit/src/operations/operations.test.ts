import type { Json } from '@weft/node-catalogue/definitions';
import fc from 'fast-check';
import { applyEdit, openDocument, type EditResult, type WorkflowDocument } from '../document';
import { EditError } from '../edit-error';
import { duplicateNodes, pasteNodes } from '../clipboard/paste-nodes';
import { addStep, MAX_UNDO_STEPS, redoStep, startHistory, undoStep } from '../history';
import { anyJson, anyName, documentOf, nodeOf, sample, SAMPLE } from '../testing/sample';
import { connect, disconnect } from './links';
import { freeName } from './names';
import {
  moveNodes,
  nodesWithCredentialOf,
  setCredential,
  setDisabled,
  setNodeField,
  setParameter,
} from './node-fields';
import { addNode, insertIntoLink, pinItems, removeNodes, unpinItems } from './nodes';
import { renameNode } from './rename-node';
import { setOwner, setSetting, setWorkflowName } from './workflow-fields';

const newNode = (name: string) => ({
  id: `new-${name}`,
  name,
  type: 'n8n-nodes-base.noOp',
  typeVersion: 1,
  position: [10, 20] as const,
});
const link = (from: string, to: string, output = 0, input = 0) => ({ from, output, to, input });
const linksOf = ({ json }: WorkflowDocument): unknown => json['connections'];

describe('the operations', () => {
  it('link a credential without touching those of other types', () => {
    const node = '{"name": "A", "type": "x-nodes-base.set", "credentials": {"x": { "id":  "1" }, "y": {"id": "2"}}}';
    const text = `{"nodes": [${node}]}`;
    const linked = setCredential(openDocument(text), ['A'], 'y', { id: '3', name: 'C' });
    expect(linked.document.text).toContain('"x": { "id":  "1" }');
    expect(linked.document.node('A').credentials).toEqual({ x: { id: '1' }, y: { id: '3', name: 'C' } });
    const none = setCredential(linked.document, ['A'], 'y', undefined);
    expect(none.document.node('A').credentials).toEqual({ x: { id: '1' } });
    expect(applyEdit(linked.document, linked.inverse).document.text).toBe(text);
  });

  it('link a credential to all nodes that name the same one, as one step', () => {
    const nodeWith = (name: string, credentials: Json) => ({ ...nodeOf(name), credentials });
    const missing = { id: 'elsewhere', name: 'Shop' };
    const document = documentOf({
      nodes: [
        nodeWith('A', { x: missing }),
        nodeWith('B', { x: { ...missing }, y: missing }),
        nodeWith('C', { x: { id: 'elsewhere', name: 'Other' } }),
        nodeOf('D'),
      ],
    });
    const names = nodesWithCredentialOf(document, 'A', 'x');
    expect([names, nodesWithCredentialOf(document, 'D', 'x')]).toEqual([['A', 'B'], ['D']]);
    const linked = setCredential(document, names, 'x', { id: '1', name: 'Here' });
    const credentialsOf = (name: string): unknown => linked.document.node(name).credentials;
    expect(credentialsOf('A')).toEqual({ x: { id: '1', name: 'Here' } });
    expect(credentialsOf('B')).toEqual({ x: { id: '1', name: 'Here' }, y: missing });
    expect(credentialsOf('C')).toEqual({ x: { id: 'elsewhere', name: 'Other' } });
    expect(applyEdit(linked.document, linked.inverse).document.text).toBe(document.text);
  });

  it('add a node, with a link', () => {
    const { document } = addNode(sample(), newNode('End'), link('If', 'End', 1));
    expect(document.node('End')).toMatchObject({ id: 'new-End', position: [10, 20], parameters: {} });
    expect(linksOf(document)).toMatchObject({ If: { main: [[], [{ node: 'End', type: 'main', index: 0 }]] } });
  });

  it('refuse a node whose name is taken, empty, too long or not text', () => {
    const codeOf = (name: string): unknown => {
      try {
        return addNode(sample(), newNode(name));
      } catch (error) {
        return error instanceof EditError ? error.code : error;
      }
    };
    expect(['Set', ' ', 'x'.repeat(501), '\ud800', '__proto__'].map(codeOf)).toEqual([
      'NAME_TAKEN',
      'INVALID_NAME',
      'INVALID_NAME',
      'INVALID_NAME',
      'INVALID_NAME',
    ]);
  });

  it('refuse more nodes than a workflow can have', () => {
    const full = documentOf({ nodes: Array.from({ length: 2_000 }, (_, index) => nodeOf(`N${index}`)) }, 0);
    expect(() => addNode(full, newNode('One more'))).toThrow('2,000 nodes at most');
  });

  it('remove nodes with their links, pins and state', () => {
    const { document } = removeNodes(sample(), ['Set']);
    expect(document.definition.nodes.map(({ name }) => name)).toEqual(['Start', 'If']);
    expect(document.json).toMatchObject({ connections: { Start: { main: [[]] } }, pinData: {}, staticData: {} });
    expect(document.json['connections']).not.toHaveProperty('Set');
  });

  it('remove what does not exist without a change of the text', () => {
    const document = documentOf({ nodes: [nodeOf('A'), nodeOf('B')], settings: null }, 0);
    const { document: edited } = removeNodes(document, ['B']);
    expect(edited.text).toBe(documentOf({ nodes: [nodeOf('A')], settings: null }, 0).text);
    const nothing = [
      unpinItems(document, 'A'),
      unpinItems(documentOf({ nodes: [nodeOf('A')], pinData: null }), 'A'),
      setSetting(document, 'timezone', undefined),
      setParameter(document, 'A', ['options', 'timeout'], undefined),
    ];
    expect(nothing.flatMap(({ edit }) => edit.changes)).toEqual([]);
  });

  it('remove any nodes of any workflow', () => {
    const names = Array.from({ length: 6 }, (_, index) => `N${index}`);
    fc.assert(
      fc.property(fc.subarray(names), fc.constantFrom(0, 2), (gone, space) => {
        const document = documentOf({ nodes: names.map((name) => nodeOf(name)) }, space);
        const left = removeNodes(document, gone).document;
        expect(left.entries().map(({ name }) => name)).toEqual(names.filter((name) => !gone.includes(name)));
      }),
    );
  });

  it('connect and disconnect nodes, also from and to outputs that had no links', () => {
    const connected = connect(sample(), link('Start', 'If', 2, 1)).document;
    expect(linksOf(connected)).toMatchObject({
      Start: { main: [[{ node: 'Set' }], [], [{ node: 'If', type: 'main', index: 1 }]] },
    });
    expect(connect(connected, link('Start', 'If', 2, 1)).edit.changes).toEqual([]);
    const cut = disconnect(connected, link('Start', 'Set')).document;
    expect(linksOf(cut)).toMatchObject({ Start: { main: [[], [], [{ node: 'If' }]] } });
    expect(() => disconnect(cut, link('Start', 'Set'))).toThrow('No such link');
  });

  it('connect from an output that an editor wrote as null', () => {
    const document = openDocument('{"nodes":[{"name":"A"},{"name":"B"}],"connections":{"A":{"main":[null]}}}');
    expect(linksOf(connect(document, link('A', 'B')).document)).toEqual({
      A: { main: [[{ node: 'B', type: 'main', index: 0 }]] },
    });
  });

  it('refuse ports that do not exist', () => {
    expect(() => connect(sample(), link('Start', 'If', 100))).toThrow('from 0 to 99');
    expect(() => connect(sample(), link('Start', 'If', 0, 0.5))).toThrow('from 0 to 99');
    expect(() => connect(sample(), link('Start', 'Nowhere'))).toThrow('no node called "Nowhere"');
  });

  it('insert a node into a link', () => {
    const { document, inverse } = insertIntoLink(sample(), newNode('Between'), link('Set', 'If'));
    expect(linksOf(document)).toMatchObject({
      Set: { main: [[{ node: 'Between', index: 0 }]] },
      Between: { main: [[{ node: 'If', index: 0 }]] },
    });
    expect(applyEdit(document, inverse).document.text).toBe(SAMPLE);
  });

  it('move nodes, and write a position only if it differs', () => {
    expect(moveNodes(sample(), new Map([['Set', [200, 0]]])).edit.changes).toEqual([]);
    const { document } = moveNodes(sample(), new Map([['Start', [5, -5]]]));
    expect(document.text).toBe(SAMPLE.replace('[ 0, 0 ]', '[ 5, -5 ]'));
    expect(() => moveNodes(sample(), new Map([['Set', [Infinity, 0]]]))).toThrow('finite');
  });

  it('disable nodes, and leave no field on those that they enable', () => {
    const disabled = setDisabled(sample(), ['Set', 'If'], true).document;
    expect(disabled.definition.nodes.map((node) => node.disabled)).toEqual([undefined, true, true]);
    expect(setDisabled(disabled, ['Set', 'If'], false).document.json).toEqual(sample().json);
  });

  it('pin and unpin items, also where there were none', () => {
    const pinned = pinItems(documentOf({ nodes: [nodeOf('A')], pinData: null }), 'A', [{ json: { x: 1 } }]).document;
    expect(pinned.json['pinData']).toEqual({ A: [{ json: { x: 1 } }] });
    expect(unpinItems(pinned, 'A').document.json['pinData']).toEqual({});
    expect(() => pinItems(sample(), 'Set', [{ x: 1 }])).toThrow('object `json`');
  });

  it('set the owner of a new workflow, also in place of that of an export', () => {
    const owned = setOwner(documentOf({ name: 'n', projectId: 'elsewhere' }), 'here').document;
    expect(JSON.parse(owned.text)).toMatchObject({ name: 'n', projectId: 'here' });
    expect(setOwner(sample(), 'here').document.json['projectId']).toBe('here');
  });

  it('set fields, settings and the name', () => {
    const named = setWorkflowName(sample(), 'New').document;
    const set = setSetting(named, 'timezone', 'Europe/Berlin').document;
    const noted = setNodeField(set, 'If', 'notes', 'why').document;
    expect(noted.definition).toMatchObject({
      name: 'New',
      settings: { executionOrder: 'v1', timezone: 'Europe/Berlin' },
    });
    expect(noted.node('If').notes).toBe('why');
    expect(setSetting(noted, 'timezone', undefined).document.json['settings']).toEqual({ executionOrder: 'v1' });
    expect(setSetting(documentOf({ settings: null }), 'a', 1).document.json['settings']).toEqual({ a: 1 });
  });

  it('number names that are taken', () => {
    expect(freeName('Set', new Set(['Set', 'Set1']))).toBe('Set2');
    expect(freeName('Set1', new Set(['Set1']))).toBe('Set2');
    expect(freeName('Other', new Set(['Set']))).toBe('Other');
  });
});

/** Operations by number, on whatever nodes a document has. */
type Move = (document: WorkflowDocument) => EditResult;

const pick = (document: WorkflowDocument, at: number): string => {
  const entries = document.entries();
  return entries[at % Math.max(entries.length, 1)]?.name ?? 'Start';
};

let ids = 0;
const newId = (): string => `made-${(ids += 1)}`;

const at = fc.nat({ max: 30 });
const anyMove: fc.Arbitrary<Move> = fc.oneof(
  fc.tuple(at, anyName).map(
    ([one, name]): Move =>
      (document) =>
        renameNode(document, pick(document, one), name),
  ),
  anyName.map(
    (name): Move =>
      (document) =>
        addNode(document, newNode(name)),
  ),
  at.map(
    (one): Move =>
      (document) =>
        removeNodes(document, [pick(document, one)]),
  ),
  fc.tuple(at, at, fc.nat(3), fc.nat(2)).map(
    ([from, to, output, input]): Move =>
      (document) =>
        connect(document, link(pick(document, from), pick(document, to), output, input)),
  ),
  fc.tuple(at, at).map(
    ([from, to]): Move =>
      (document) =>
        disconnect(document, link(pick(document, from), pick(document, to))),
  ),
  fc.tuple(at, fc.string(), anyJson).map(
    ([one, key, value]): Move =>
      (document) =>
        setParameter(document, pick(document, one), [key], value),
  ),
  fc.tuple(at, fc.integer(), fc.integer()).map(
    ([one, x, y]): Move =>
      (document) =>
        moveNodes(document, new Map([[pick(document, one), [x, y]]])),
  ),
  fc.tuple(at, fc.boolean()).map(
    ([one, is]): Move =>
      (document) =>
        setDisabled(document, [pick(document, one)], is),
  ),
  at.map(
    (one): Move =>
      (document) =>
        duplicateNodes(document, [pick(document, one)], newId),
  ),
  fc.constant<Move>((document) => pasteNodes(document, sample(), { newId, at: [3, 3] })),
  fc.tuple(at, anyJson).map(
    ([one, x]): Move =>
      (document) =>
        pinItems(document, pick(document, one), [{ json: { x } }]),
  ),
  at.map(
    (one): Move =>
      (document) =>
        unpinItems(document, pick(document, one)),
  ),
);

const attempt = (move: Move, document: WorkflowDocument): EditResult | undefined => {
  try {
    return move(document);
  } catch (error) {
    if (error instanceof EditError) return undefined;
    throw error;
  }
};

describe('undo', () => {
  it('restores the text byte for byte after any operations, and redo their result', () => {
    fc.assert(
      fc.property(fc.array(anyMove, { maxLength: 12 }), fc.boolean(), (moves, isCompact) => {
        const first = isCompact ? openDocument(JSON.stringify(JSON.parse(SAMPLE))) : sample();
        const texts = [first.text];
        let history = startHistory(first);
        for (const move of moves) {
          const result = attempt(move, history.document);
          if (result === undefined || result.edit.changes.length === 0) continue;
          history = addStep(history, result);
          texts.push(history.document.text);
        }
        for (const text of texts.toReversed().slice(1)) {
          history = undoStep(history);
          expect(history.document.text).toBe(text);
        }
        expect(undoStep(history)).toBe(history);
        for (const text of texts.slice(1)) {
          history = redoStep(history);
          expect(history.document.text).toBe(text);
        }
        expect(redoStep(history)).toBe(history);
      }),
      { numRuns: 300 },
    );
  });

  it('covers the last 200 steps', () => {
    let history = startHistory(sample());
    for (let step = 0; step < MAX_UNDO_STEPS + 5; step += 1)
      history = addStep(history, setParameter(history.document, 'Set', ['n'], step));
    for (let step = 0; step < MAX_UNDO_STEPS + 5; step += 1) history = undoStep(history);
    expect(history.document.node('Set').parameters['n']).toBe(4);
  });

  it('takes what was typed into one field as one step', () => {
    let history = startHistory(sample());
    for (const text of ['a', 'ab', 'abc'])
      history = addStep(history, setParameter(history.document, 'Set', ['n'], text), 'Set.n');
    expect(history.undo.length).toBe(1);
    history = undoStep(history);
    expect(history.document.text).toBe(SAMPLE);
    history = redoStep(history);
    expect(history.document.node('Set').parameters['n']).toBe('abc');
  });

  it('forgets what could be redone when something else is done', () => {
    let history = addStep(startHistory(sample()), setDisabled(sample(), ['Set'], true));
    history = undoStep(history);
    history = addStep(history, setDisabled(history.document, ['If'], true));
    expect(history.redo).toEqual([]);
  });
});
