import { memoryFileArea } from '@weft/engine/testing';
import type { FileArea } from '@weft/engine';
import type { EmbeddedDocument } from '../vector-store/store-backend';
import { StoredVectors, type StoreContext } from './stored-vectors';

const MEBIBYTE = 1024 * 1024;

interface Insertion {
  readonly run: string;
  readonly documents: readonly EmbeddedDocument[];
  readonly clears?: boolean;
  readonly parts?: number;
}

const storeOf = (fileArea: FileArea, executionId: string): StoredVectors => {
  const node: StoreContext['node'] = {
    ...{ id: 'n', name: 'Store', type: 't', typeVersion: 1 },
    ...{ parameters: {}, position: [0, 0] },
  };
  return new StoredVectors({ ports: { fileArea }, pause: () => undefined, executionId, node, runIndex: 0 }, 'key');
};
/** Documents whose ids belong to a run, as the ids of nodes do. */
const documentsOf = (run: string, count: number, bytes: number): EmbeddedDocument[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `${run}-${at}`,
    pageContent: `${run}${at} ${'x'.repeat(bytes)}`,
    metadata: {},
    vector: new Float32Array([1, 0]),
  }));
/** Inserts documents in parts, as nodes do before version 1.1. */
async function insert(fileArea: FileArea, { run, documents, clears = false, parts = 1 }: Insertion): Promise<void> {
  const size = Math.ceil(documents.length / parts);
  for (let part = 0; part < parts; part += 1) {
    const some = documents.slice(part * size, (part + 1) * size);
    await storeOf(fileArea, run).insert(some, clears && part === 0, part);
  }
}
const stored = async (fileArea: FileArea): Promise<string[]> => {
  const found: string[] = [];
  await storeOf(fileArea, 'reads').each(({ pageContent }) => found.push(pageContent.split(' ')[0] ?? ''));
  return found.sort();
};
/** An area whose run ends at a write, before or after it is made. */
function killedAt(area: FileArea, at: number, moment: 'before' | 'after'): FileArea {
  let writes = 0;
  return {
    ...area,
    write: async (write) => {
      writes += 1;
      if (writes === at && moment === 'before') throw new Error('killed');
      await area.write(write);
      if (writes === at) throw new Error('killed');
    },
  };
}
const WRITES = [1, 2, 3].flatMap((at) => (['before', 'after'] as const).map((moment) => [at, moment] as const));

describe('an insertion of several writes whose run is killed', () => {
  /** Three writes of 5 MB: the first fills the file of the earlier documents, the others are in another one. */
  const documents = documentsOf('k', 3, 5 * MEBIBYTE);
  const old = { run: 'old', documents: documentsOf('old', 3, 7.5 * MEBIBYTE) };
  const names = ['k0', 'k1', 'k2'];

  it.each([1, 3])('in %d parts stores each document once when the run is repeated, at any write', async (parts) => {
    for (const [at, moment] of WRITES) {
      const area = memoryFileArea();
      await insert(area, old);
      const insertion = { run: 'k', documents, parts };
      await expect(insert(killedAt(area, at, moment), insertion)).rejects.toThrow('killed');
      await insert(area, { run: 'new', documents: documentsOf('new', 1, 10) });
      await insert(area, insertion);
      expect(await stored(area)).toEqual([...names, 'new0', 'old0', 'old1', 'old2']);
    }
  });

  it('and that clears the store has its documents once, and no earlier ones', async () => {
    for (const [at, moment] of WRITES) {
      const area = memoryFileArea();
      await insert(area, old);
      const insertion = { run: 'k', documents, clears: true };
      await expect(insert(killedAt(area, at, moment), insertion)).rejects.toThrow('killed');
      await insert(area, insertion);
      expect(await stored(area)).toEqual(names);
    }
  });

  it('counts what it has stored once', async () => {
    const area = memoryFileArea();
    const insertion = { run: 'k', documents: documentsOf('k', 3_000, 10) };
    await expect(insert(killedAt(area, 1, 'after'), insertion)).rejects.toThrow('killed');
    await insert(area, insertion);
    expect(await stored(area)).toHaveLength(3_000);
  });
});

describe('a store that is too large', () => {
  it.each([
    [5_001, 1, 'would have 5001 documents; at most 5000 fit'],
    [17, 4 * MEBIBYTE, `bytes; at most ${64 * MEBIBYTE} fit`],
    [1, 31 * MEBIBYTE, `bytes; at most ${30 * MEBIBYTE} fit in the simple store`],
  ])('with %d documents of %d bytes is refused, and nothing is stored', async (count, bytes, message) => {
    const area = memoryFileArea();
    await expect(insert(area, { run: 'k', documents: documentsOf('k', count, bytes) })).rejects.toThrow(message);
    expect(await area.list()).toEqual([]);
  });

  it('has no file beyond the 32 MiB of a file area, with lines of any length', async () => {
    const area = memoryFileArea();
    const sizes = [9, 9, 9, 9, 9, 9].map((size, at) => documentsOf(`r${at}-`, 1, size * MEBIBYTE));
    await insert(area, { run: 'k', documents: sizes.flat() });
    for (const { size } of await area.list()) expect(size).toBeLessThanOrEqual(32 * MEBIBYTE);
    expect(await stored(area)).toHaveLength(6);
  });
});
