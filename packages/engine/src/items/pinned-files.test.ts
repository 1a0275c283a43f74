import type { Json } from '@weft/node-catalogue';
import { memoryFiles } from '../testing/memory-files';
import { storePinnedFiles } from './pinned-files';
import { readPins } from './pins';

const file = {
  data: Buffer.from('a;b\n1;2').toString('base64'),
  mimeType: 'text/csv',
  fileName: 'table.csv',
  fileExtension: 'csv',
};

describe('files of pins', () => {
  const stored = async (pins: readonly Json[]) => {
    const files = memoryFiles();
    const items = await storePinnedFiles(readPins({ N: [...pins] }).get('N') ?? [], pins, files);
    return { items, files };
  };

  it('are stored with the run, each with its item', async () => {
    const { items, files } = await stored([{ a: 1 }, 7, { json: { b: 2 }, binary: { data: file } }]);
    expect(items).toMatchObject([
      { json: { a: 1 } },
      { json: { b: 2 }, binary: { data: { mimeType: 'text/csv', fileName: 'table.csv', fileSize: '7 B' } } },
    ]);
    const reference = items[1]?.binary?.['data'];
    expect(reference === undefined ? '' : Buffer.from(await files.read(reference)).toString()).toBe('a;b\n1;2');
  });

  it('are left out where the pin only says where they lie', async () => {
    const { items } = await stored([
      { json: {}, binary: { data: { ...file, data: 'filesystem-v2', id: 'filesystem-v2:workflows/1' } } },
    ]);
    expect(items).toEqual([{ json: {} }]);
  });
});
