import { ftpDate } from './ftp-date';
import { below, checkPath, foldersOf } from './remote-paths';

const NOW = new Date('2026-03-01T12:00:00Z');

describe('a date of a list over FTP', () => {
  it.each([
    ['Jan 31 10:05', '2026-01-31T10:05:00.000Z'],
    ['Nov  5 10:05', '2025-11-05T10:05:00.000Z'],
    ['Mar  2 11:00', '2026-03-02T11:00:00.000Z'],
    ['Feb 29  2024', '2024-02-29T00:00:00.000Z'],
  ])('%s', (text, date) => expect(ftpDate(text, NOW)?.toISOString()).toBe(date));

  it.each([[''], ['yesterday'], ['Foo 01 10:00'], ['01-31-26 10:00AM']])('rejects %j', (text) =>
    expect(ftpDate(text, NOW)).toBeUndefined(),
  );
});

describe('a path of a server', () => {
  it('is made below a folder, and names those above it', () => {
    expect([below('/', 'a'), below('/a', 'b'), below('a/', 'b')]).toEqual(['/a', '/a/b', 'a/b']);
    expect(foldersOf('/a//b/c/')).toEqual(['/a', '/a/b', '/a/b/c']);
    expect(foldersOf('a/b')).toEqual(['a', 'a/b']);
  });

  it('has no characters that end commands', () => {
    for (const path of ['', 'a\r\nDELE b', 'a\u0000b']) expect(() => checkPath(path)).toThrow();
    expect(checkPath('/a ü/b')).toBe('/a ü/b');
  });
});
