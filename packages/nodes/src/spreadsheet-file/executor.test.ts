import { memoryFiles } from '@weft/engine/testing';
import { runKind } from '../testing/cases/run-kind';

const read = async (version: number, csv: string, parameters = {}) => {
  const files = memoryFiles();
  const data = await files.store(Buffer.from(csv), { mimeType: 'text/csv', fileName: 'in.csv' });
  return (await runKind('spreadsheetFile', { version, files, binary: { data }, parameters })).outputs[0];
};

describe('spreadsheetFile', () => {
  it('reads CSV with typed values in version 1, and as strings in version 2', async () => {
    expect(await read(1, 'a,b\n1,x\n')).toEqual([{ a: 1, b: 'x' }]);
    expect(await read(2, 'a,b\n1,x\n')).toEqual([{ a: '1', b: 'x' }]);
  });

  it('reads UTF-8 as text if configured', async () => {
    expect(await read(1, 'a\nžlutý\n', { options: { readAsString: true } })).toEqual([{ a: 'žlutý' }]);
  });

  it('omits empty cells, or includes them', async () => {
    expect(await read(2, 'a,b\n,x\n', { fileFormat: 'csv' })).toEqual([{ b: 'x' }]);
    expect(await read(2, 'a,b\n,x\n', { fileFormat: 'csv', options: { includeEmptyCells: true } })).toEqual([
      { a: '', b: 'x' },
    ]);
  });

  it.each([1, 2])('writes one file with all items (version %d)', async (version) => {
    const files = memoryFiles();
    const { items } = await runKind('spreadsheetFile', {
      version,
      files,
      items: [{ a: 1 }, { a: 2 }],
      parameters: { operation: 'toFile', fileFormat: 'xlsx', binaryPropertyName: 'table' },
    });
    expect(items[0]).toMatchObject([{ json: {}, binary: { table: { fileName: 'spreadsheet.xlsx' } } }]);
    const binary = items[0]?.[0]?.binary;
    if (binary === undefined) throw new Error('There is no file.');
    expect(
      (await runKind('spreadsheetFile', { version, files, binary, parameters: { binaryPropertyName: 'table' } }))
        .outputs[0],
    ).toEqual([{ a: 1 }, { a: 2 }]);
  });
});
