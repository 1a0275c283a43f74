import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { within } from '@weft/service-kit/time-limit';
import { zipOfZeros } from '../../testing/files/zip-of-zeros';
import { openFormats } from './open-formats';
import { type FormatContext, runFormatTask } from './run-format-task';
import type { TextJob } from './tasks';
import { runTexts } from './run-texts';

const MIB = 1024 * 1024;
const MEMORY_MB = 128;
/** Memory of a process before its first task, most of it shared: Node and the libraries. */
const PROGRAM_MB = 150;

const formats = openFormats({ memoryMb: MEMORY_MB, timeoutMs: 2_000 });
afterAll(() => formats.close());
const { signal } = new AbortController();
const contextOf = (owner: string): FormatContext => ({ signal, ports: { formats: formats.of(owner) } });

const textOf = async (job: TextJob): Promise<unknown> => {
  const [outcome] = await runTexts(contextOf('attacker'), [job], true);
  if (outcome !== undefined && 'error' in outcome) throw new Error(outcome.error);
  return outcome;
};
const extracted = (page: string, selector: string): Promise<unknown> => {
  const extraction = { key: 'k', selector, returns: 'text' as const, attribute: '', asList: false, skipped: [] };
  const options = { trims: false, cleansUp: false, isLaidOut: false, givesEmptyText: false };
  return textOf({ kind: 'extractHtml', input: { pages: [page], extractions: [extraction], options } });
};
const sheetOf = (bytes: Uint8Array): Promise<unknown> => {
  const options = { hasHeader: true, includeEmptyCells: true, raw: false, asText: false };
  return runFormatTask(contextOf('attacker'), 'readSheet', { ...options, bytes });
};
/** A page whose content is compressed twice. */
const packedPdf = (): Uint8Array => {
  const content = deflateSync(deflateSync(Buffer.alloc(192 * MIB, ' '), { level: 9 }), { level: 9 });
  const head = [
    '%PDF-1.4',
    '1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj',
    '2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj',
    '3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<<>>>> endobj',
    `4 0 obj <</Length ${content.length}/Filter[/FlateDecode/FlateDecode]>> stream\n`,
  ];
  return Buffer.concat([
    Buffer.from(head.join('\n')),
    content,
    Buffer.from('\nendstream endobj\ntrailer <</Root 1 0 R>>'),
  ]);
};
/** More than a process and its program may use. */
const HUGE_ARCHIVE = zipOfZeros(['xl/workbook.xml'], 320 * MIB);
const hugeArchive = (): Buffer => Buffer.from(HUGE_ARCHIVE);
/** Overwrites the size of the only file in the central directory, which follows the files. */
const withSizeInDirectory = (archive: Buffer, size: number): Buffer => {
  archive.writeUInt32LE(size, archive.indexOf(Buffer.from('PK\x01\x02')) + 24);
  return archive;
};
/** The signature of a part of an archive, followed by a whole archive. */
const asPart = (archive: Buffer): Buffer => {
  const mark = Buffer.from('PK\x07\x08');
  const [directory, end] = ['PK\x01\x02', 'PK\x05\x06'].map((start) => archive.indexOf(Buffer.from(start)));
  archive.writeUInt32LE(mark.length, (directory ?? 0) + 42);
  archive.writeUInt32LE((directory ?? 0) + mark.length, (end ?? 0) + 16);
  return Buffer.concat([mark, archive]);
};
const nested = (count: number, [open, close]: readonly [string, string]): string =>
  open.repeat(count) + close.repeat(count);

const TOO_LARGE = /too much memory|took longer|128 MB/;
/** The error, or the result if a fast machine finishes in time. */
const TOO_LARGE_OR_DONE = /too much memory|took longer|a result/;

/** Data that a parser cannot handle within its limits: its name and the expected error. */
const BOMBS: readonly (readonly [name: string, run: () => Promise<unknown>, error: RegExp])[] = [
  [
    'a PDF that is compressed twice',
    () => runFormatTask(contextOf('attacker'), 'readPdf', { bytes: packedPdf(), joinPages: true }),
    TOO_LARGE,
  ],
  [
    'a spreadsheet whose central directory declares a smaller size',
    () => sheetOf(withSizeInDirectory(hugeArchive(), 1_000)),
    TOO_LARGE,
  ],
  ['a spreadsheet that begins as a part of an archive', () => sheetOf(asPart(hugeArchive())), TOO_LARGE],
  [
    'HTML with nested rows, to Markdown',
    () => textOf({ kind: 'htmlToMarkdown', input: { html: `<table>${'<tr><td>a'.repeat(2_000)}`, options: {} } }),
    TOO_LARGE,
  ],
  [
    'a selector with nested :has',
    () => extracted(nested(400, ['<div>', '</div>']), 'div:has(div:has(div:has(div:has(div:has(p)))))'),
    TOO_LARGE,
  ],
  [
    'a selector with nested :not',
    () => extracted(nested(400, ['<div>', '</div>']), 'div:not(:has(div:not(:has(div:not(:has(div:not(:has(p))))))))'),
    TOO_LARGE,
  ],
  [
    'a selector that counts siblings from the end',
    () => extracted('<p></p>'.repeat(9_000), Array(20).fill('p:nth-last-child(2n+1)').join(' ~ ')),
    TOO_LARGE,
  ],
  [
    'a Markdown table',
    () => {
      const markdown = `${'|a'.repeat(1_000)}|\n${'|-'.repeat(1_000)}|\n${'|\n'.repeat(500_000)}`;
      return textOf({ kind: 'markdownToHtml', input: { markdown, options: { tables: true } } });
    },
    TOO_LARGE_OR_DONE,
  ],
  [
    'XML with a huge number of attributes',
    () => {
      const text = `<a ${Array.from({ length: 200_000 }, (_, n) => `a${n}=""`).join(' ')}/>`;
      const names = { attrkey: '$', charkey: '_', lowersNames: false };
      const flags = { explicitRoot: true, explicitArray: false, mergeAttrs: true, ignoreAttrs: false };
      return textOf({ kind: 'readXml', input: { text, ...names, ...flags, normalize: false, trim: false } });
    },
    TOO_LARGE_OR_DONE,
  ],
  [
    'CSV of commas',
    () =>
      runFormatTask(contextOf('attacker'), 'readCsv', {
        bytes: Buffer.alloc(15 * MIB, ','),
        encoding: 'utf-8',
        delimiter: ',',
        fromLine: 1,
        hasHeader: false,
        includeEmptyCells: true,
        relaxQuotes: false,
        skipBadRecords: false,
      }),
    TOO_LARGE_OR_DONE,
  ],
];

/** Peak memory of one process so far, in MiB. */
const peakOf = (id: number): number => {
  try {
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
};

/** Pause in milliseconds between two small tasks. Without it they would use one core and slow the bomb down. */
const PAUSE_MS = 20;

/** Awaits work while running small tasks of another owner. */
const besides = async (work: Promise<unknown>) => {
  let isOver = false;
  let [answered, ticks, peakMb] = [0, 0, 0];
  const timer = setInterval(() => {
    ticks += 1;
    peakMb = Math.max(peakMb, ...formats.processIds.map(peakOf));
  }, 10);
  const ended = work.then(
    () => 'a result',
    (error: unknown) => String(error),
  );
  void ended.then(() => (isOver = true));
  while (!isOver) {
    await runFormatTask(contextOf('other'), 'readCalendar', { text: 'BEGIN:VCALENDAR\nEND:VCALENDAR' });
    if (!isOver) answered += 1;
    await within(ended, PAUSE_MS);
  }
  clearInterval(timer);
  return { ended: await ended, answered, ticks, peakMb };
};

describe('data built to exhaust a parser', () => {
  it.each(BOMBS)('%s ends with an error, within its memory, and delays no other owner', async (_name, run, error) => {
    await runFormatTask(contextOf('other'), 'zip', { files: [] });
    const { ended, answered, ticks, peakMb } = await besides(run());
    expect(ended).toMatch(error);
    expect(peakMb).toBeLessThan(MEMORY_MB + PROGRAM_MB);
    if (!ended.includes('took longer')) return;
    expect(answered).toBeGreaterThan(0);
    expect(ticks).toBeGreaterThan(0);
  });
});
