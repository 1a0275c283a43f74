import { bytesOf, isFileReference, referenceTo, withFacts } from './file-reference';

describe('a reference to a file', () => {
  it.each<[string, string | undefined]>([
    ['text/plain', 'text'],
    ['text/html; charset=utf-8', 'html'],
    ['application/json', 'json'],
    ['application/pdf', 'pdf'],
    ['image/png', 'image'],
    ['application/zip', undefined],
  ])('of type %s has the file type %s', (mimeType, fileType) => {
    expect(referenceTo('f', { mimeType }, 1).fileType).toBe(fileType);
  });

  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [7_709, '7.71 kB'],
    [16_001, '16 kB'],
    [32 * 1024 * 1024, '33.6 MB'],
  ])('to %d bytes gives the size %s, and the number', (bytes, fileSize) => {
    expect(referenceTo('f', { mimeType: 'x/y', fileName: 'a.b' }, bytes)).toEqual({
      id: 'f',
      mimeType: 'x/y',
      fileName: 'a.b',
      fileSize,
      bytes,
    });
  });

  it('has the file type of a type that it is given', () => {
    const file = referenceTo('f', { mimeType: 'text/plain', fileName: 'a.txt', fileExtension: 'txt' }, 7);
    expect(withFacts(file, { mimeType: 'image/png', fileName: 'a.png' })).toEqual({
      ...file,
      mimeType: 'image/png',
      fileType: 'image',
      fileName: 'a.png',
    });
  });

  it.each<[unknown, boolean]>([
    [referenceTo('f', { mimeType: 'x/y' }, 7), true],
    [{ id: 'f', mimeType: 'x/y', fileSize: 7 }, true],
    [{ id: 'f', mimeType: 'x/y' }, false],
    [{ id: 7, mimeType: 'x/y', fileSize: '7 B' }, false],
    [null, false],
  ])('is %j: %s', (value, expected) => {
    expect(isFileReference(value)).toBe(expected);
  });

  it('of an earlier version is as long as its size says', () => {
    expect(bytesOf({ id: 'f', mimeType: 'x/y', fileSize: 7 })).toBe(7);
    expect(bytesOf(referenceTo('f', { mimeType: 'x/y' }, 7))).toBe(7);
  });
});
