import { readInput } from './run-input';

const read = (value: unknown) => readInput(Buffer.from(JSON.stringify(value)));

describe('readInput', () => {
  it('returns the metadata of files as items have it, wherever they were stored', () => {
    const stored = {
      id: 'e1.1.file-a',
      mimeType: 'image/png',
      fileName: 'a.png',
      fileExtension: 'png',
      fileSize: 1_234,
    };
    expect(read([{ json: {}, binary: { photo: stored } }])).toEqual([
      { json: {}, binary: { photo: { ...stored, fileType: 'image', fileSize: '1.23 kB', bytes: 1_234 } } },
    ]);
  });

  it('omits values that do not refer to a file', () => {
    expect(read([{ json: { a: 1 }, binary: { photo: { id: 5 }, other: 'x' } }])).toEqual([{ json: { a: 1 } }]);
  });

  it('reads an array as items, an object as one item, and nothing as one empty item', () => {
    expect(read([{ json: { a: 1 } }, { b: 2 }, 3])).toEqual([
      { json: { a: 1 } },
      { json: { b: 2 } },
      { json: { data: 3 } },
    ]);
    expect(read({ a: 1 })).toEqual([{ json: { a: 1 } }]);
    expect(readInput(new Uint8Array())).toEqual([{ json: {} }]);
  });
});
