import { memoryFiles } from '@weft/engine/testing';
import { storeFile, storeNamedFile } from './item-files';
import { typeOfBytes } from './type-of-bytes';

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const part = (name: string): string => `PK\x03\x04${'\0'.repeat(26)}${name}`;

describe('typeOfBytes', () => {
  it.each([
    ['\x89PNG\r\n\x1a\n…', 'image/png', 'png'],
    ['\xff\xd8\xff\xe0', 'image/jpeg', 'jpg'],
    ['RIFF\0\0\0\0WEBPVP8 ', 'image/webp', 'webp'],
    ['\0\0\0\x18ftypmp42', 'video/mp4', 'mp4'],
    ['%PDF-1.7', 'application/pdf', 'pdf'],
    ['<?xml version="1.0"?><a/>', 'application/xml', 'xml'],
    ['\xef\xbb\xbf<?xml version="1.0"?><a/>', 'application/xml', 'xml'],
    [part('a.txt'), 'application/zip', 'zip'],
    [
      part('[Content_Types].xml') + part('xl/workbook.xml'),
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'xlsx',
    ],
    [part('mimetypeapplication/epub+zip'), 'application/epub+zip', 'epub'],
  ])('reads the format of %j', (text, mimeType, extension) => {
    expect(typeOfBytes(bytes(text))).toEqual({ mimeType, extension });
  });

  it.each(['', 'a,b', '{}', 'PK', '\0\0\0', '<html>', 'xl/', '\xff\xd8'])('recognizes no format in %j', (text) => {
    expect(typeOfBytes(bytes(text))).toBeUndefined();
  });
});

describe('a stored file', () => {
  const files = memoryFiles();
  const png = bytes('\x89PNG\r\n\x1a\n');

  it.each<[Uint8Array, string | undefined, string | undefined, object]>([
    [png, undefined, undefined, { mimeType: 'image/png', fileName: 'file.png', fileExtension: 'png' }],
    [png, 'a/b.txt', undefined, { mimeType: 'text/plain', fileName: 'b.txt', fileExtension: 'txt' }],
    [png, 'b.own', undefined, { mimeType: 'image/png', fileName: 'b.own', fileExtension: 'own' }],
    [
      png,
      undefined,
      'application/json',
      { mimeType: 'application/json', fileName: 'file.json', fileExtension: 'json' },
    ],
    [bytes('hi'), undefined, undefined, { mimeType: 'text/plain', fileName: 'file' }],
    [bytes('hi'), '.hidden', undefined, { mimeType: 'text/plain', fileName: '.hidden' }],
  ])('has the given type, or that of its name, or the detected one (%#)', async (content, path, type, facts) => {
    const {
      id: _id,
      fileSize: _size,
      bytes: _bytes,
      fileType: _type,
      ...stored
    } = await storeNamedFile(files, content, path, type);
    expect(stored).toEqual(facts);
  });

  it('has no name if none is given', async () => {
    expect((await storeFile(files, png, undefined)).fileName).toBeUndefined();
  });
});
