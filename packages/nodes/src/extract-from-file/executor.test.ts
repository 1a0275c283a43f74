import { memoryFiles } from '@weft/engine/testing';
import { outputOf, runKind, type KindRun } from '../testing/cases/run-kind';
import { pdfOf } from '../testing/files/pdf-of';

const extract = async (content: string | Uint8Array, parameters: KindRun['parameters'] = {}, over: KindRun = {}) => {
  const files = memoryFiles();
  const data = await files.store(typeof content === 'string' ? Buffer.from(content) : content, {
    mimeType: 'text/plain',
    fileName: 'in.txt',
  });
  return runKind('extractFromFile', { files, binary: { data }, parameters, ...over });
};
const rowsOf = async (content: string | Uint8Array, parameters: KindRun['parameters'] = {}, over: KindRun = {}) => {
  const { outputs, error } = await extract(content, parameters, over);
  if (error !== undefined) throw new Error(error.message);
  return outputs[0];
};
describe('extractFromFile', () => {
  it.each([1, 1.1])('creates an item from each CSV row, with strings as values (version %d)', async (version) => {
    expect(await rowsOf('a,b\n1,x\n2,\n', {}, { version })).toEqual([{ a: '1', b: 'x' }, { a: '2' }]);
  });

  const table = 'id,name\r\n1,über\r\n';
  const marked = (text: string, encoding: BufferEncoding): Buffer => Buffer.from(`\uFEFF${text}`, encoding);
  it.each<readonly [string, Buffer]>([
    ['UTF-8', Buffer.from(table)],
    ['UTF-8 with a byte order mark', marked(table, 'utf8')],
    ['UTF-16 with a byte order mark', marked(table, 'utf16le')],
    ['UTF-16BE with a byte order mark', marked(table, 'utf16le').swap16()],
    ['UTF-16 without one', Buffer.from(table, 'utf16le')],
    ['Windows-1252', Buffer.from(table, 'latin1')],
  ])('decodes CSV in %s, as text', async (_, bytes) => {
    expect(await rowsOf(bytes)).toEqual([{ id: '1', name: 'über' }]);
    expect(await rowsOf(bytes, { operation: 'text' })).toEqual([{ data: table }]);
    for (const version of [1, 2]) {
      const files = memoryFiles();
      const data = await files.store(bytes, { mimeType: 'text/csv', fileName: 'a.csv' });
      const rows = await outputOf('spreadsheetFile', {
        files,
        binary: { data },
        version,
        parameters: { operation: 'fromFile' },
      });
      expect(rows).toEqual([{ id: version === 1 ? 1 : '1', name: 'über' }]);
    }
  });

  it('decodes an HTML table by its declared encoding', async () => {
    const page =
      '<html><head><meta charset="iso-8859-2"></head><table><tr><td>n</td></tr><tr><td>±</td></tr></table></html>';
    expect(await rowsOf(Buffer.from(page, 'latin1'), { operation: 'html' })).toEqual([{ n: 'ą' }]);
  });

  it('reads CSV according to its options', async () => {
    expect(
      await rowsOf('# no\na;b\n1;"x\n2;\n', {
        options: { delimiter: ';', fromLine: 2, relaxQuotes: true, includeEmptyCells: true, maxRowCount: 1 },
      }).catch((error: Error) => error.message),
    ).toContain('Quote');
    expect(
      await rowsOf('a;b\n1;\n2;y\n', { options: { delimiter: ';', includeEmptyCells: true, maxRowCount: 1 } }),
    ).toEqual([{ a: '1', b: '' }]);
    expect(await rowsOf('1,2', { options: { headerRow: false } })).toEqual([{ row: { 0: '1', 1: '2' } }]);
    expect(await rowsOf('1,,2', { options: { headerRow: false } })).toEqual([{ row: { 0: '1', 2: '2' } }]);
    expect(await rowsOf('1,,2', { options: { headerRow: false, includeEmptyCells: true } })).toEqual([
      { row: ['1', '', '2'] },
    ]);
    expect(await rowsOf('\uFEFFa\n1', { options: { enableBOM: true } })).toEqual([{ a: '1' }]);
    expect(await rowsOf(Buffer.from('a\nGrün', 'latin1'), { options: { encoding: 'latin1' } })).toEqual([
      { a: 'Grün' },
    ]);
    for (const encoding of ['utf16le', 'ucs2', 'ucs-2'])
      expect(await rowsOf(Buffer.from('a\nGrün', 'utf16le'), { options: { encoding } })).toEqual([{ a: 'Grün' }]);
  });

  it.each(['html', 'ods', 'rtf', 'xls', 'xlsx'])('reads back what convertToFile writes as %s', async (operation) => {
    const files = memoryFiles();
    const { items } = await runKind('convertToFile', {
      files,
      items: [
        { n: 1, t: 'é <b>' },
        { n: 2, t: 'y' },
      ],
      parameters: { operation },
    });
    const binary = items[0]?.[0]?.binary;
    if (binary === undefined) throw new Error('There is no file.');
    expect(await outputOf('extractFromFile', { files, binary, parameters: { operation } })).toEqual([
      { n: 1, t: operation === 'rtf' ? expect.any(String) : 'é <b>' },
      { n: 2, t: 'y' },
    ]);
  });

  it('reads JSON, text, XML as text, calendars, and any file as base64', async () => {
    expect(await rowsOf('{"a":[1]}', { operation: 'fromJson' })).toEqual([{ data: { a: [1] } }]);
    expect(await rowsOf('\uFEFFhi', { operation: 'text', destinationKey: 'in.side' })).toEqual([
      { in: { side: 'hi' } },
    ]);
    expect(await rowsOf('<a/>', { operation: 'xml' })).toEqual([{ data: '<a/>' }]);
    expect(await rowsOf(Buffer.from([1, 2]), { operation: 'binaryToPropery' })).toEqual([{ data: 'AQI=' }]);
    const event = [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:x',
      'BEGIN:VEVENT',
      'UID:1',
      'DTSTAMP:20240101T000000Z',
      'DTSTART:20240101T000000Z',
      'SUMMARY:Hi',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ].join('\r\n');
    expect(await rowsOf(event, { operation: 'fromIcs' })).toMatchObject([
      { data: { events: [{ summary: 'Hi', uid: '1' }] } },
    ]);
  });

  it('reads the text of a PDF', async () => {
    expect(await rowsOf(pdfOf('Hello there'), { operation: 'pdf' })).toMatchObject([
      { numpages: 1, numrender: 1, text: 'Hello there', info: { PDFFormatVersion: '1.4' } },
    ]);
    expect(await rowsOf(pdfOf('x'), { operation: 'pdf', options: { joinPages: false } })).toMatchObject([
      { text: ['x'] },
    ]);
    expect(await rowsOf(pdfOf('x'), { operation: 'pdf', options: { maxPages: 0 } })).toMatchObject([
      { numpages: 1, text: '' },
    ]);
  });

  it('retains the configured parts of the item', async () => {
    const keep = async (keepSource: string) =>
      (await extract('x', { operation: 'text', options: { keepSource } }, { items: [{ old: 1 }] })).items[0]?.[0];
    expect(await keep('json')).toMatchObject({ json: { old: 1, data: 'x' } });
    expect((await keep('json'))?.binary).toBeUndefined();
    expect(await keep('both')).toMatchObject({ json: { old: 1, data: 'x' }, binary: { data: { fileName: 'in.txt' } } });
  });

  it.each([
    ['a missing file', { binaryPropertyName: 'other' }, "contain a binary file 'other', but none was found"],
    ['invalid JSON', { operation: 'fromJson' }, 'The file is not valid JSON'],
    ['an invalid PDF', { operation: 'pdf' }, 'The file is not a PDF'],
    ['an unknown encoding', { operation: 'text', options: { encoding: 'klingon' } }, 'Unknown encoding "klingon"'],
    ['a missing sheet', { operation: 'xlsx', options: { sheetName: 'Other' } }, 'The file has no sheet called "Other"'],
  ])('reports %s', async (_, parameters, message) => {
    expect((await extract('no,thing', parameters)).error?.message).toContain(message);
  });
});
