import { fileFactsOf } from './file-facts';

const facts = (url: string, headers: Record<string, string> = {}) =>
  fileFactsOf({ status: 200, statusText: 'OK', headers, body: new Uint8Array(), url });

describe('the name and type of a file', () => {
  it.each([
    [
      'from type and URL',
      'https://x.example/path/image.png?size=2',
      { 'content-type': 'image/png' },
      { mimeType: 'image/png', fileName: 'image.png', fileExtension: 'png' },
    ],
    [
      'from the URL, and the extension from the type',
      'https://x.example/get',
      { 'content-type': 'application/pdf' },
      { mimeType: 'application/pdf', fileName: 'get', fileExtension: 'pdf' },
    ],
    [
      'without the parameters of the type',
      'https://x.example/text.txt',
      { 'content-type': 'text/plain; charset=utf-8' },
      { mimeType: 'text/plain', fileName: 'text.txt', fileExtension: 'txt' },
    ],
    [
      'from the disposition',
      'https://x.example/d',
      { 'content-disposition': 'attachment; filename="testing.jpg"' },
      { mimeType: 'image/jpeg', fileName: 'testing.jpg', fileExtension: 'jpg' },
    ],
    [
      'from the starred disposition',
      'https://x.example/d',
      { 'content-disposition': 'attachment; filename="x"; filename*=UTF-8\'\'%C3%A4.csv' },
      { mimeType: 'text/csv', fileName: 'ä.csv', fileExtension: 'csv' },
    ],
    [
      'as a name and never as a path',
      'https://x.example/d',
      { 'content-disposition': 'attachment; filename="../../etc/pass\\wd.txt"' },
      { mimeType: 'text/plain', fileName: 'wd.txt', fileExtension: 'txt' },
    ],
    ['from nothing', 'https://x.example/', {}, { mimeType: 'text/plain', fileName: 'data' }],
  ])('come %s', (_from, url, headers, expected) => {
    expect(facts(url, headers)).toEqual(expected);
  });
});
