import fc from 'fast-check';
import type { Json } from '@weft/node-catalogue/definitions';
import { diffWorkflows } from '../diff';
import { openDocument, type EditResult, type WorkflowDocument } from '../document';
import { allLinks, connect, disconnect, linkKey } from '../operations/links';
import { moveNodes, setDisabled, setParameter } from '../operations/node-fields';
import { addNode, pinItems, removeNodes } from '../operations/nodes';
import { renameNode } from '../operations/rename-node';
import { setSetting, setWorkflowName } from '../operations/workflow-fields';
import { chain, documentOf, nodeOf, sample, SAMPLE } from '../testing/sample';
import { mergeWorkflows } from './merge-documents';

const node = (name: string) => ({
  id: `new-${name}`,
  name,
  type: 'n8n-nodes-base.noOp',
  typeVersion: 1,
  position: [9, 9] as const,
});
const link = (from: string, to: string) => ({ from, output: 0, to, input: 0 });
const base = sample();
const conflictsOf = (mine: WorkflowDocument, theirs: WorkflowDocument): unknown[] =>
  mergeWorkflows(base, mine, theirs).conflicts.map(({ kind, node: name, path }) => [kind, name, path.join('.')]);

/** Meaning of a workflow: the order of nodes and links does not count. */
const meaningOf = (document: WorkflowDocument): unknown => ({
  ...document.json,
  nodes: document
    .entries()
    .map(({ json }) => JSON.stringify(sorted(json)))
    .sort(),
  connections: allLinks(document)
    .map((one) => linkKey(one.link))
    .sort(),
});

const sorted = (value: Json): Json =>
  typeof value !== 'object' || value === null
    ? value
    : Array.isArray(value)
      ? value.map(sorted)
      : Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([key, entry]) => [key, sorted(entry)]),
        );

describe('a merge', () => {
  it('of unchanged versions is theirs, byte for byte', () => {
    const theirs = setParameter(base, 'Set', ['a2'], 'x').document;
    expect(mergeWorkflows(base, base, theirs).document.text).toBe(theirs.text);
    expect(mergeWorkflows(base, theirs, base).document.text).toBe(theirs.text);
    expect(mergeWorkflows(base, theirs, theirs)).toMatchObject({ document: { text: theirs.text }, conflicts: [] });
  });

  it('of two parameters of one node has both', () => {
    const mine = setParameter(base, 'Set', ['list', 0], 7).document;
    const theirs = setParameter(base, 'Set', ['list', 2, 'k'], 'w').document;
    const { document, conflicts } = mergeWorkflows(base, mine, theirs);
    expect(conflicts).toEqual([]);
    expect(document.text).toBe(SAMPLE.replace('[1, 2.0, {"k": "v"}]', '[7, 2.0, {"k": "w"}]'));
  });

  it('follows a rename in what the other side wrote', () => {
    const mine = renameNode(base, 'Set', 'Renamed').document;
    const theirs = connect(
      addNode(setParameter(base, 'If', ['y'], "={{ $('Set').item }}").document, node('End')).document,
      link('Set', 'End'),
    ).document;
    const { document, conflicts } = mergeWorkflows(base, mine, theirs);
    expect(conflicts).toEqual([]);
    expect(document.node('If').parameters['y']).toBe("={{ $('Renamed').item }}");
    expect(document.json['connections']).toMatchObject({ Renamed: { main: [[{ node: 'If' }, { node: 'End' }]] } });
    expect(meaningOf(mergeWorkflows(base, theirs, mine).document)).toEqual(meaningOf(document));
  });

  it('keeps both nodes that were added under one name, and follows the new name of mine', () => {
    const add = (id: string, x: string) =>
      connect(addNode(base, { ...node('New'), id, parameters: { x } }).document, link('If', 'New')).document;
    const { document, conflicts } = mergeWorkflows(base, add('m', 'mine'), add('t', 'theirs'));
    expect(conflicts).toEqual([]);
    expect([document.node('New').parameters['x'], document.node('New1').parameters['x']]).toEqual(['theirs', 'mine']);
    expect(document.json['connections']).toMatchObject({ If: { main: [[{ node: 'New' }, { node: 'New1' }]] } });
  });

  it('takes a removed node out, with links of the other side that are unchanged', () => {
    const mine = removeNodes(base, ['Set']).document;
    const theirs = setParameter(base, 'If', ['x'], 1).document;
    const { document, conflicts } = mergeWorkflows(base, mine, theirs);
    expect(conflicts).toEqual([]);
    expect(document.entries().map(({ name }) => name)).toEqual(['Start', 'If']);
    expect(allLinks(document)).toEqual([]);
  });

  it('reports what both changed, and nothing else', () => {
    const change = (value: Json) => setParameter(base, 'Set', ['a2'], value).document;
    expect(conflictsOf(change('mine'), change('theirs'))).toEqual([['value', 'Set', 'parameters.a2']]);
    expect(conflictsOf(change('same'), change('same'))).toEqual([]);
    expect(conflictsOf(setSetting(base, 'a', 1).document, setSetting(base, 'a', 2).document)).toEqual([
      ['value', undefined, 'settings.a'],
    ]);
    expect(conflictsOf(renameNode(base, 'Set', 'M').document, renameNode(base, 'Set', 'T').document)).toEqual([
      ['value', 'T', 'name'],
    ]);
    expect(conflictsOf(removeNodes(base, ['Set']).document, change('theirs'))).toEqual([['removed', 'Set', '']]);
    expect(
      conflictsOf(pinItems(base, 'Set', [{ json: {} }]).document, pinItems(base, 'Set', [{ json: { a: 1 } }]).document),
    ).toEqual([['value', undefined, 'pinData.Set']]);
  });

  it('takes the side that is chosen', () => {
    const mine = setParameter(renameNode(base, 'Set', 'M').document, 'M', ['a2'], 'mine').document;
    const theirs = setParameter(renameNode(base, 'Set', 'T').document, 'T', ['a2'], 'theirs').document;
    expect(mergeWorkflows(base, mine, theirs).document.node('T').parameters['a2']).toBe('theirs');
    expect(mergeWorkflows(base, mine, theirs, () => 'mine').document.node('M').parameters['a2']).toBe('mine');
  });

  it('keeps a node that one side removed and the other changed, unless it is told otherwise', () => {
    const removed = removeNodes(base, ['Set']).document;
    const changed = setParameter(base, 'Set', ['a2'], 'new').document;
    const linksOf = (document: WorkflowDocument) => allLinks(document).map((one) => linkKey(one.link));
    const kept = mergeWorkflows(base, changed, removed).document;
    expect(kept.node('Set').parameters['a2']).toBe('new');
    expect(linksOf(kept).sort()).toEqual(linksOf(base).sort());
    expect(linksOf(mergeWorkflows(base, removed, changed).document).sort()).toEqual(linksOf(base).sort());
    expect(mergeWorkflows(base, removed, changed, () => 'mine').document.entries().length).toBe(2);
    expect(mergeWorkflows(base, changed, removed, () => 'theirs').document.entries().length).toBe(2);
  });

  const names = ['N0', 'N1', 'N2', 'N3', 'N4', 'N5'];
  const wide = documentOf({
    nodes: names.map((name) => nodeOf(name, { a: 1, b: { c: [1, 2] }, ref: `={{ $('N0').item.json.x }}` })),
    connections: chain(...names),
    settings: { one: 1, two: 2 },
  });

  /** An edit, with the parts that it touches: edits of different parts do not overlap. */
  type PartEdit = { readonly part: string; readonly apply: (document: WorkflowDocument) => EditResult };
  const anyEdit: fc.Arbitrary<PartEdit> = fc.oneof(
    fc
      .tuple(fc.constantFrom('N1', 'N2', 'N3'), fc.constantFrom('a', 'b', 'new'), fc.integer())
      .map(([name, key, value]): PartEdit => ({
        part: `${name}.${key}`,
        apply: (d) => setParameter(d, idName(d, name), [key], value),
      })),
    fc.constantFrom('N1', 'N2', 'N3').map((name): PartEdit => ({
      part: `${name}.name`,
      apply: (d) => renameNode(d, idName(d, name), `${name} renamed`),
    })),
    fc.constantFrom('N1', 'N2', 'N3').map((name): PartEdit => ({
      part: `${name}.position`,
      apply: (d) => moveNodes(d, new Map([[idName(d, name), [5, 6]]])),
    })),
    fc
      .constantFrom('N1', 'N2', 'N3')
      .map((name): PartEdit => ({ part: `${name}.disabled`, apply: (d) => setDisabled(d, [idName(d, name)], true) })),
    fc.constant<PartEdit>({ part: 'N4', apply: (d) => removeNodes(d, ['N4']) }),
    fc.constant<PartEdit>({ part: 'link', apply: (d) => disconnect(d, link('N0', idName(d, 'N1'))) }),
    fc.constant<PartEdit>({ part: 'link2', apply: (d) => connect(d, link('N0', idName(d, 'N3'))) }),
    fc
      .constantFrom('x', 'y')
      .map((key): PartEdit => ({ part: `add ${key}`, apply: (d) => addNode(d, node(key), link('N0', key)) })),
    fc.constantFrom('one', 'two').map((key): PartEdit => ({ part: key, apply: (d) => setSetting(d, key, 9) })),
    fc.constant<PartEdit>({ part: 'name', apply: (d) => setWorkflowName(d, 'Other') }),
  );
  const idName = (document: WorkflowDocument, name: string): string =>
    document.entries().find(({ json }) => json['id'] === `id-${name}`)?.name ?? name;

  it('of edits that do not overlap has all of them, whichever side they are on', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(anyEdit, { maxLength: 8, selector: ({ part }) => part }),
        fc.nat(8),
        (edits, count) => {
          const all = (chosen: readonly PartEdit[]): WorkflowDocument =>
            chosen.reduce((document, { apply }) => apply(document).document, wide);
          const [mine, theirs] = [all(edits.slice(0, count)), all(edits.slice(count))];
          const one = mergeWorkflows(wide, mine, theirs);
          const other = mergeWorkflows(wide, theirs, mine);
          expect([one.conflicts, other.conflicts]).toEqual([[], []]);
          expect(meaningOf(one.document)).toEqual(meaningOf(all(edits)));
          expect(meaningOf(other.document)).toEqual(meaningOf(all(edits)));
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('the difference of two versions', () => {
  it('is in terms of what was edited', () => {
    const renamed = renameNode(base, 'Set', 'Renamed').document;
    const changed = setParameter(
      moveNodes(renamed, new Map([['If', [1, 1]]])).document,
      'Renamed',
      ['list', 0],
      5,
    ).document;
    const after = setSetting(addNode(changed, node('End'), link('If', 'End')).document, 'timezone', 'UTC').document;
    expect(diffWorkflows(base, after)).toEqual({
      added: ['End'],
      removed: [],
      renamed: [{ from: 'Set', to: 'Renamed' }],
      moved: ['If'],
      changed: [{ node: 'Renamed', changes: [{ path: ['parameters', 'list', 0], before: 1, after: 5 }] }],
      links: { added: [{ ...link('If', 'End'), type: 'main' }], removed: [] },
      settings: [{ path: ['timezone'], before: undefined, after: 'UTC' }],
      pins: [],
    });
  });

  it('is empty for other white space, order of keys and forms of numbers', () => {
    const { added, removed, changed, moved, links } = diffWorkflows(base, openDocument(JSON.stringify(base.json)));
    expect([added, removed, changed, moved, links.added, links.removed]).toEqual([[], [], [], [], [], []]);
  });

  it('lists removed nodes, links and pins, and the name', () => {
    const after = setWorkflowName(removeNodes(base, ['Set']).document, 'New').document;
    expect(diffWorkflows(base, after)).toMatchObject({
      removed: ['Set'],
      pins: ['Set'],
      name: { before: 'Orders', after: 'New' },
      links: { removed: [link('Start', 'Set'), link('Set', 'If')] },
    });
  });
});
