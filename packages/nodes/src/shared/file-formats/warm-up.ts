import { doTask } from './work';

const ITEM_OPTIONS = { attrkey: '$', charkey: '_' };

/** The smallest document with text. Its cross-reference table is wrong, so that the recovery code is loaded as well. */
const PDF = `%PDF-1.4
1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj
3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>> endobj
4 0 obj <</Length 33>> stream
BT /F 9 Tf 9 9 Td (text) Tj ET   \nendstream endobj
5 0 obj <</Type/Font/Subtype/Type1/BaseFont/Helvetica>> endobj
trailer <</Root 1 0 R>>`;

/** A mail with text in two encodings, encoded words and an attachment. */
const MAIL = [
  'From: =?ISO-2022-JP?B?GyRCRnxLXBsoQg==?= <a@b.example>',
  'Subject: =?UTF-8?Q?=C3=A9?=',
  'Content-Type: multipart/mixed; boundary=b',
  '',
  '--b',
  'Content-Type: text/plain; charset=windows-1252; format=flowed',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  '=E9 http://x.example/',
  '--b',
  'Content-Type: text/html; charset=iso-2022-jp',
  '',
  '<p>a</p>',
  '--b',
  'Content-Type: text/csv; name="a.csv"',
  'Content-Disposition: attachment',
  'Content-Transfer-Encoding: base64',
  '',
  'YQ==',
  '--b--',
].join('\r\n');

/** Runs each kind of task once: code that a library loads on first use cannot be loaded after the process is sealed. */
export const warmUp = async (): Promise<void> => {
  const [bytes, rows] = [Buffer.from('a,b\n1,2'), [{ a: 1, b: 'x', c: true, d: null }]];
  await doTask('readCsv', {
    bytes,
    encoding: 'windows-1252',
    delimiter: ',',
    fromLine: 1,
    hasHeader: true,
    includeEmptyCells: true,
    relaxQuotes: false,
    skipBadRecords: false,
  });
  for (const format of ['xlsx', 'xls', 'ods', 'csv', 'html', 'rtf'] as const) {
    const written = await doTask('writeSheet', { format, rows, sheetName: 'S', hasHeader: true, compression: true });
    if (!('output' in written)) throw new Error(`Cannot write ${format}: ${written.error}`);
    const options = { hasHeader: true, includeEmptyCells: true, raw: false, asText: false };
    await doTask('readSheet', { ...options, bytes: written.output });
  }
  const pdf = await doTask('readPdf', { bytes: new Uint8Array(Buffer.from(PDF)), joinPages: true });
  if (!('output' in pdf)) throw new Error(`Cannot read PDF: ${pdf.error}`);
  const calendar = await doTask('writeCalendar', {
    summary: 's',
    uid: 'u',
    start: '2024-01-01T00:00:00Z',
    end: '2024-01-01T01:00:00Z',
    stamp: '2024-01-01T00:00:00Z',
    allDay: false,
    recurrenceRule: 'FREQ=DAILY;COUNT=2',
    attendees: [],
  });
  if ('output' in calendar) await doTask('readCalendar', { text: Buffer.from(calendar.output).toString() });
  const zip = await doTask('zip', { files: [{ name: 'a', bytes }] });
  if ('output' in zip) await doTask('unzip', { bytes: zip.output, from: 0 });
  await doTask('readFeed', {
    text: '<rss><channel><item><title>&eacute;</title></item></channel></rss>',
    customFields: [],
  });
  await doTask('readMail', { source: Buffer.from(MAIL), form: 'resolved', withAttachments: true });
  await warmUpTexts();
};

const warmUpTexts = async (): Promise<void> => {
  const html = '<h1>a</h1><ul><li class="b">c <a href="d">e</a></li></ul><table><tr><td>f</td></tr></table>&amp;';
  const extraction = { key: 'k', selector: 'li:nth-child(1), a', attribute: '', asList: false, skipped: ['a'] };
  const { readXml, writeXml } = {
    readXml: { explicitRoot: true, explicitArray: false, mergeAttrs: true, ignoreAttrs: false, normalize: false },
    writeXml: { rootName: 'root', cdata: false, headless: false, allowSurrogateChars: false },
  };
  const done = await doTask('texts', {
    stopsAtError: true,
    jobs: [
      {
        kind: 'extractHtml',
        input: {
          pages: [html],
          extractions: [
            { ...extraction, returns: 'text' },
            { ...extraction, returns: 'html' },
          ],
          options: { trims: true, cleansUp: true, isLaidOut: true, givesEmptyText: false },
        },
      },
      { kind: 'htmlToMarkdown', input: { html, options: {} } },
      {
        kind: 'markdownToHtml',
        input: {
          markdown: '# a\n- [b](https://c.example)\n\n```js\nd\n```\n|e|\n|-|\n|f|\n~~g~~ www.h.example',
          options: {
            tables: true,
            strikethrough: true,
            breaks: true,
            linkify: true,
            newWindow: true,
            headingIds: true,
            idPrefix: '',
            dashesInIds: true,
            firstLevel: 1,
            isWholeDocument: false,
          },
        },
      },
      {
        kind: 'readXml',
        input: { ...ITEM_OPTIONS, ...readXml, trim: false, lowersNames: true, text: '<a b="c">d &amp; e</a>' },
      },
      { kind: 'writeXml', input: { ...ITEM_OPTIONS, ...writeXml, json: '{"a":{"$":{"b":"c"},"d":[1,2]}}' } },
    ],
  });
  const failed = 'error' in done ? done : done.output.find((outcome) => 'error' in outcome);
  if (failed !== undefined && 'error' in failed) throw new Error(`Cannot process a string: ${failed.error}`);
};
