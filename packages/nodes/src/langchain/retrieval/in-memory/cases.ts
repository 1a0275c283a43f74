import type { KindCases } from '../../../testing/cases/node-case';

const VERSIONS = [1, 1.1, 1.2, 1.3];
const bytes = (letter: number): string => {
  const vector = new Float32Array(26);
  vector[letter] = 1;
  return Buffer.from(vector.buffer).toString('base64');
};
const line = (pageContent: string, letter: number): string =>
  `${JSON.stringify({ pageContent, metadata: { page: letter }, vector: bytes(letter) })}\n`;

const METADATA = {
  source: 'blob',
  blobType: 'application/json',
  line: 1,
  loc: { lines: { from: 1, to: 1 } },
};

/** The file of the store `vector_store_key`. */
const STORE_FILE = 'vector-stores/ec53bbe8f2a534a147fe85bf96858459/0.jsonl';
const storedFiles = { [STORE_FILE]: `${line('aa', 0)}no document\n${line('bb', 1)}` };

export const vectorStoreInMemoryCases: KindCases = {
  kind: 'langchain.vectorStoreInMemory',
  cases: [
    {
      it: 'stores a document for each string of its items',
      versions: VERSIONS,
      run: { items: [{ text: 'one' }, { text: 'two' }], embeds: true, parameters: { mode: 'insert' } },
      gives: [
        [
          { pageContent: 'one', metadata: METADATA },
          { pageContent: 'two', metadata: METADATA },
        ],
      ],
      pairs: [[{ item: 0 }, { item: 1 }]],
    },
    {
      it: 'finds the closest documents',
      versions: VERSIONS,
      run: { items: [{}], embeds: true, storedFiles, parameters: { mode: 'load', prompt: 'a', topK: 1 } },
      gives: [[{ document: { pageContent: 'aa', metadata: { page: 0 } }, score: 1 }]],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'leaves out the metadata',
      versions: VERSIONS,
      run: {
        items: [{}],
        embeds: true,
        storedFiles,
        parameters: { mode: 'load', prompt: 'b', topK: 1, includeDocumentMetadata: false },
      },
      gives: [[{ document: { pageContent: 'bb' }, score: 1 }]],
    },
    {
      it: 'gives documents to a model',
      versions: VERSIONS,
      run: {
        items: [{ input: 'b' }],
        embeds: true,
        storedFiles,
        parameters: { mode: 'retrieve-as-tool', toolName: 'docs', toolDescription: 'Documents.', topK: 1 },
      },
      gives: [[{ response: [{ type: 'text', text: '{"pageContent":"bb","metadata":{"page":1}}' }] }]],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'gives documents to another node',
      versions: VERSIONS,
      run: { items: [{ text: 'b' }], embeds: true, storedFiles, parameters: { mode: 'retrieve' } },
      gives: [[{ found: ['bb', 'aa'] }]],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'gives documents in the order of a reranker, with their relevance',
      versions: VERSIONS,
      run: {
        items: [{}],
        embeds: true,
        finds: ['ai_reranker'],
        storedFiles,
        parameters: { mode: 'load', prompt: 'a', topK: 2, useReranker: true },
      },
      gives: [
        [
          { document: { pageContent: 'bb', metadata: { page: 1 } }, score: 1 },
          { document: { pageContent: 'aa', metadata: { page: 0 } }, score: 0.5 },
        ],
      ],
    },
    {
      it: 'needs a query',
      versions: VERSIONS,
      run: { items: [{}], embeds: true, parameters: { mode: 'load', prompt: ' ' } },
      fails: 'The query for "Node" is empty',
    },
    {
      it: 'needs a limit of at least 1',
      versions: VERSIONS,
      run: { items: [{}], embeds: true, parameters: { mode: 'load', prompt: 'a', topK: 0 } },
      fails: '"Limit" of "Node" must be at least 1',
    },
  ],
};
