import { readInput } from './run-input';

const read = (value: unknown) => readInput(Buffer.from(JSON.stringify(value)));

describe('readInput', () => {
  it('says of a file what items say of files, whoever stored it', () => {
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

  it('leaves out what does not refer to a file', () => {
    expect(read([{ json: { a: 1 }, binary: { photo: { id: 5 }, other: 'x' } }])).toEqual([{ json: { a: 1 } }]);
  });

  it('reads a list as items, an object as one, and nothing as one that is empty', () => {
    expect(read([{ json: { a: 1 } }, { b: 2 }, 3])).toEqual([
      { json: { a: 1 } },
      { json: { b: 2 } },
      { json: { data: 3 } },
    ]);
    expect(read({ a: 1 })).toEqual([{ json: { a: 1 } }]);
    expect(readInput(new Uint8Array())).toEqual([{ json: {} }]);
  });
});
