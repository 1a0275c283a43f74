import { corpusFiles, hasCorpus } from '@weft/expressions/testing/corpus';
import { isJsonObject, type Json } from '@weft/node-catalogue/definitions';
import { readClipboard } from './clipboard/read-clipboard';
import type { WorkflowDocument } from './document';
import { EditError } from './edit-error';
import { layOut } from './layout';
import type { Path } from './json/tree';
import { setParameter } from './operations/node-fields';
import { findReferences } from './references/find-references';
import { renameNode } from './operations/rename-node';
import { applyEdit } from './document';

/** Every workflow of the corpus, as the round trips over REST find them. */
const workflows = (): { readonly path: string; readonly document: WorkflowDocument; readonly text: string }[] =>
  ['n8n-node-tests', 'oracle-probes', 'real-workflows'].flatMap((folder) =>
    corpusFiles(folder, '.json')
      .filter(({ path }) => !/(-snapshot|\.expected|_run|mocks)\.json$/.test(path))
      .flatMap(({ path, text }) => {
        const json: Json = JSON.parse(text);
        const holder = isJsonObject(json) && isJsonObject(json['workflow']) ? json['workflow'] : json;
        if (!isJsonObject(holder) || !Array.isArray(holder['nodes'])) return [];
        const content = readClipboard(text);
        return content.kind === 'workflow' ? [{ path, document: content.workflow, text }] : [];
      }),
  );

/** The first string below the parameters of a node. */
const firstString = (value: Json | undefined, path: Path = []): Path | undefined => {
  if (typeof value === 'string') return path;
  const entries: [string | number, Json][] = Array.isArray(value)
    ? [...value.entries()]
    : isJsonObject(value)
      ? Object.entries(value)
      : [];
  for (const [key, entry] of entries) {
    const found = firstString(entry, [...path, key]);
    if (found !== undefined) return found;
  }
  return undefined;
};

(hasCorpus ? describe : describe.skip)('every workflow of the corpus', () => {
  const all = hasCorpus ? workflows() : [];

  it('is opened and saved with the same bytes', () => {
    expect(all.length).toBe(385);
    for (const { document, text } of all) {
      const isWhole = text.replace(/^\ufeff/, '').trim() === document.text;
      // A workflow within a test case is cut out of it; only its indentation changes.
      if (!isWhole) expect(document.json).toEqual(JSON.parse(text)['workflow']);
    }
  });

  it('is not changed by setting every parameter to the value that it has', () => {
    for (const { document, path } of all)
      for (const { name, json } of document.entries()) {
        const { parameters } = json;
        if (!isJsonObject(parameters) || document.indexesOf(name).length > 1) continue;
        expect({ path, changes: setParameter(document, name, [], parameters).edit.changes }).toEqual({
          path,
          changes: [],
        });
      }
  });

  it('differs in one span when one parameter is edited, and nowhere after undo', () => {
    let edited = 0;
    for (const { document } of all) {
      for (const { name, json } of document.entries()) {
        const path = firstString(json['parameters']);
        if (path === undefined) continue;
        const { document: after, edit, inverse } = setParameter(document, name, path, 'edited by a test');
        edited += 1;
        for (const { offset, length, content } of edit.changes) {
          expect(content).toBe('"edited by a test"');
          expect(document.text[offset]).toBe('"');
          expect(after.text.length).toBe(document.text.length + edit.changes.length * (content.length - length));
        }
        expect(applyEdit(after, inverse).document.text).toBe(document.text);
        break;
      }
    }
    expect(edited).toBeGreaterThan(300);
  });

  it('has the same references after a node was renamed there and back', () => {
    let renamed = 0;
    for (const { document, path } of all) {
      const referred = findReferences(document).map(({ node }) => node);
      const name = document.entries().find((entry) => referred.includes(entry.name))?.name;
      if (name === undefined) continue;
      try {
        const there = renameNode(document, name, `It's "${name}" {{renamed}}`).document;
        const back = renameNode(there, `It's "${name}" {{renamed}}`, name).document;
        expect({ path, references: findReferences(back).map(({ node }) => node) }).toEqual({
          path,
          references: referred,
        });
        expect(back.json['connections']).toEqual(document.json['connections']);
        renamed += 1;
      } catch (error) {
        if (!(error instanceof EditError)) throw error;
        expect({ path, code: error.code }).toEqual({ path, code: 'none' });
      }
    }
    expect(renamed).toBeGreaterThan(75);
  });

  it('is laid out', () => {
    for (const { document } of all)
      expect(layOut(document.definition, new Map()).length).toBe(
        new Set(document.definition.nodes.map(({ name }) => name)).size,
      );
  });
});
