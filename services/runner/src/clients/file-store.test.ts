import { ServiceError } from '@weft/service-kit/errors';
import type { WriteOutcome } from '../domain/claims/claimed-execution';
import type { Reach } from '../domain/claims/shares/reach';
import { createFileStore, MAX_FILE_BYTES, type FileChunks, MAX_RUN_FILE_BYTES } from './file-store';

const CLAIM = { executionId: 'e1', fence: 3 };
const facts = { mimeType: 'text/plain', fileName: 'a.txt', fileExtension: 'txt' };

const chunksOf = (over: Partial<FileChunks> = {}) => {
  const stored = new Map<string, Uint8Array>();
  const reads: string[] = [];
  const chunks: FileChunks = {
    putFile: (claim, chunkId, bytes) => {
      stored.set(`${claim.executionId}.${claim.fence}.${chunkId}`, bytes);
      return Promise.resolve<WriteOutcome>('applied');
    },
    getFile: (_, id) => {
      reads.push(id);
      const bytes = stored.get(id);
      return bytes === undefined
        ? Promise.reject(new ServiceError({ reason: 'CHUNK_NOT_FOUND', kind: 'not-found', message: 'gone' }))
        : Promise.resolve(bytes);
    },
    ...over,
  };
  return { chunks, stored, reads };
};

const reach: Reach = (call) => call(0);

describe('files of a run', () => {
  it('are stored at once with ids of execution, fence and a name that begins with file-', async () => {
    const { chunks, stored } = chunksOf();
    const reference = await createFileStore(chunks, CLAIM, reach).store(Buffer.from('hi'), facts);
    expect(reference).toEqual({
      id: expect.stringMatching(/^e1\.3\.file-[0-9a-f-]{36}$/),
      ...facts,
      fileType: 'text',
      fileSize: '2 B',
      bytes: 2,
    });
    expect([...stored.keys()]).toEqual([reference.id]);
  });

  it('are read by a later runner, and only once by the same one', async () => {
    const { chunks, reads } = chunksOf();
    const reference = await createFileStore(chunks, CLAIM, reach).store(Buffer.from('hi'), facts);
    const later = createFileStore(chunks, { ...CLAIM, fence: 4 }, reach);
    expect(Buffer.from(await later.read(reference)).toString()).toBe('hi');
    await later.read(reference);
    expect(reads).toEqual([reference.id]);
  });

  it('are limited in size, individually and in total', async () => {
    const { chunks } = chunksOf({ putFile: () => Promise.resolve('applied') });
    const files = createFileStore(chunks, CLAIM, reach);
    await expect(files.store(new Uint8Array(MAX_FILE_BYTES + 1), facts)).rejects.toThrow('(FILE_BYTES)');
    const largest = new Uint8Array(MAX_FILE_BYTES);
    for (let stored = 0; stored < MAX_RUN_FILE_BYTES; stored += largest.length) await files.store(largest, facts);
    await expect(files.store(new Uint8Array(1), facts)).rejects.toThrow('(RUN_FILE_BYTES)');
  });

  it('fail with a clear message when the run was aborted, or the file is missing', async () => {
    await expect(
      createFileStore(chunksOf({ putFile: () => Promise.resolve('fenced') }).chunks, CLAIM, reach).store(
        Buffer.from('x'),
        facts,
      ),
    ).rejects.toThrow('taken away');
    await expect(
      createFileStore(chunksOf().chunks, CLAIM, reach).read({ id: 'e0.1.file-x', fileSize: 1, ...facts }),
    ).rejects.toThrow('The file "a.txt" no longer exists.');
  });
});
