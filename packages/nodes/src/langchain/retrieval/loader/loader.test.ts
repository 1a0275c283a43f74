import type { RetrievalDocument } from '@weft/engine';
import { memoryFiles, runTest } from '@weft/engine/testing';
import type { JsonObject } from '@weft/node-catalogue';
import { KIND_TABLE } from '../../../descriptors/kinds';
import { NODE_REGISTRY } from '../../../executors';
import { inProcessFormats } from '../../../testing/files/in-process-formats';

interface LoaderRun {
  readonly item?: JsonObject;
  readonly version?: number;
  readonly file?: { readonly content: string | Uint8Array; readonly mimeType: string };
}

const load = async (
  parameters: JsonObject,
  { item = {}, version = 1, file }: LoaderRun = {},
): Promise<readonly RetrievalDocument[]> => {
  let documents: readonly RetrievalDocument[] = [];
  const files = memoryFiles();
  const stored =
    file === undefined ? undefined : await files.store(Buffer.from(file.content), { mimeType: file.mimeType });
  const { outcome } = await runTest({
    nodes: [
      ['Start', 'source'],
      ['Root', 'root'],
      [
        'Loader',
        'loader',
        { type: '@n8n/n8n-nodes-langchain.documentDefaultDataLoader', typeVersion: version, parameters },
      ],
    ],
    links: ['Start>Root', 'Loader>Root@ai_document'],
    executors: {
      source: ({ items: [first] }) => ({
        kind: 'items',
        outputs: [[{ json: first?.json ?? {}, ...(stored === undefined ? {} : { binary: { data: stored } }) }]],
      }),
      root: async (context) => {
        const [supplied] = await context.attached('ai_document', 0);
        documents = (await supplied?.handle.load()) ?? [];
        return { kind: 'items', outputs: [[{ json: {} }]] };
      },
    },
    registry: NODE_REGISTRY,
    kinds: KIND_TABLE,
    input: [item],
    ports: { files, formats: inProcessFormats },
  });
  if (outcome.kind === 'error') throw new Error(outcome.error.message);
  return documents;
};

const texts = (documents: readonly RetrievalDocument[]): string[] => documents.map(({ pageContent }) => pageContent);

describe('the default data loader', () => {
  it('loads each string of an item once, with its number', async () => {
    const documents = await load({}, { item: { a: 'x', b: { c: 'y', d: ['z'] }, n: 1 } });
    expect(texts(documents)).toEqual(['x', 'y', 'z']);
    expect(documents[1]?.metadata).toEqual({ source: 'blob', blobType: 'application/json', line: 2 });
  });

  it('loads the places that pointers name', async () => {
    const parameters = { options: { pointers: '/b/d, /a' } };
    expect(texts(await load(parameters, { item: { a: 'x', b: { c: 'y', d: ['z'] } } }))).toEqual(['z', 'x']);
  });

  it('loads one value, and adds the metadata of the node', async () => {
    const parameters = {
      jsonMode: 'expressionData',
      jsonData: '={{ $json.a }}',
      options: { metadata: { metadataValues: [{ name: 'page', value: '={{ $json.n }}' }] } },
    };
    expect(await load(parameters, { item: { a: 'x', n: 3 } })).toEqual([
      { pageContent: 'x', metadata: { source: 'blob', blobType: 'text/plain', page: 3 } },
    ]);
  });

  it('splits since version 1.1, and says which lines a part has', async () => {
    const parts = await load(
      { jsonMode: 'expressionData', jsonData: '={{ $json.a }}' },
      { version: 1.1, item: { a: `${'a'.repeat(900)}\n\n${'b'.repeat(900)}` } },
    );
    expect(parts.map(({ metadata }) => metadata['loc'])).toEqual([
      { lines: { from: 1, to: 1 } },
      { lines: { from: 3, to: 3 } },
    ]);
  });

  it.each([
    ['text/plain', 'Hello', ['Hello']],
    ['application/json', '{"a":"x","b":["y"]}', ['x', 'y']],
    ['text/csv', 'name,age\nAnn,3\nBen,4\n', ['name: Ann\nage: 3', 'name: Ben\nage: 4']],
  ])('loads files of type %s', async (mimeType, content, expected) => {
    expect(texts(await load({ dataType: 'binary' }, { file: { content, mimeType } }))).toEqual(expected);
  });

  it('loads one column of a CSV file', async () => {
    const file = { content: 'name;age\nAnn;3\n', mimeType: 'text/csv' };
    const parameters = { dataType: 'binary', options: { column: 'name', separator: ';' } };
    expect(texts(await load(parameters, { file }))).toEqual(['Ann']);
  });

  it.each<[string, JsonObject, LoaderRun, string]>([
    ['an item without files', { dataType: 'binary' }, {}, 'The item has no file for "Loader"'],
    [
      'a file that it cannot read',
      { dataType: 'binary' },
      { file: { content: 'x', mimeType: 'image/png' } },
      'has the type image/png, which cannot be loaded',
    ],
    [
      'a column that a file does not have',
      { dataType: 'binary', options: { column: 'x' } },
      { file: { content: 'a\n1\n', mimeType: 'text/csv' } },
      'The CSV file has no column "x"',
    ],
    [
      'a broken JSON file',
      { dataType: 'binary' },
      { file: { content: '{"a"', mimeType: 'application/json' } },
      'The file in "data" is not JSON',
    ],
    ['an empty value', { jsonMode: 'expressionData', jsonData: '' }, {}, '"Data" of "Loader" is empty'],
    ['an item that is too long', {}, { item: { a: 'x'.repeat(4_200_000) } }, 'have 4200000 characters; at most'],
  ])('refuses %s', async (_name, parameters, run, message) => {
    await expect(load(parameters, run)).rejects.toThrow(message);
  });
});
