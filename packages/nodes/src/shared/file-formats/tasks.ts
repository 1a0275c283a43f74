import type { Json, JsonObject } from '@weft/node-catalogue';
import type { ReadMail, ReadMailTask } from '../../email-read-imap/read-mail-source';
import type { ImageTasks } from '../../edit-image/program/image-tasks';
import type { ExtractionTask } from '../../html/extract-content';
import type { MarkdownTask } from '../../markdown/html-of-markdown';
import type { HtmlTask } from '../../markdown/markdown-of-html';
import type { WriteXmlTask } from '../../xml/json-to-xml';
import type { ReadXmlTask } from '../../xml/xml-to-json';

/** Maximum number of rows of one table. */
export const MAX_ROWS = 200_000;

/** Limit in bytes for all files of an archive, unpacked. */
export const MAX_UNPACKED = 128 * 1024 * 1024;

/** Table formats that one library writes. */
export type SheetFormat = 'csv' | 'html' | 'ods' | 'rtf' | 'xls' | 'xlsx';

/** Options for reading a table. */
export interface ReadSheetTask {
  readonly bytes: Uint8Array;
  /** The first sheet by default. */
  readonly sheetName?: string;
  /** Such as `A1:C5`, or the number of the first row, from 0. */
  readonly range?: string | number;
  /** False: rows are arrays, returned as `{ row }`. */
  readonly hasHeader: boolean;
  readonly includeEmptyCells: boolean;
  /** Values are strings where the format does not declare a type. */
  readonly raw: boolean;
  /** Decodes the file as text unless its format is binary. */
  readonly asText: boolean;
}

/** Options for writing a table. */
export interface WriteSheetTask {
  readonly format: SheetFormat;
  readonly rows: readonly JsonObject[];
  readonly sheetName: string;
  readonly hasHeader: boolean;
  readonly compression: boolean;
  /** For CSV; a comma by default. */
  readonly delimiter?: string;
}

/** Options for reading CSV. Values are strings. */
export interface ReadCsvTask {
  readonly bytes: Uint8Array;
  /** Guessed from the bytes if it is undefined. */
  readonly encoding?: string;
  readonly delimiter: string;
  /** From 1. */
  readonly fromLine: number;
  readonly maxRows?: number;
  readonly hasHeader: boolean;
  readonly includeEmptyCells: boolean;
  readonly relaxQuotes: boolean;
  readonly skipBadRecords: boolean;
  /** Maximum number of skipped records; unlimited by default. */
  readonly maxSkipped?: number;
}

/** Options for reading a PDF. */
export interface ReadPdfTask {
  readonly bytes: Uint8Array;
  readonly password?: string;
  readonly maxPages?: number;
  /** True for one string, false for an array with a string per page. */
  readonly joinPages: boolean;
}

/** One event of a calendar. */
export interface WriteCalendarTask {
  readonly summary: string;
  readonly uid: string;
  /** ISO 8601 strings. */
  readonly start: string;
  readonly end: string;
  readonly stamp: string;
  readonly allDay: boolean;
  readonly description?: string;
  readonly location?: string;
  readonly url?: string;
  readonly status?: 'CONFIRMED' | 'TENTATIVE' | 'CANCELLED';
  /** Written for Microsoft's programs. */
  readonly busyStatus?: 'BUSY' | 'TENTATIVE';
  readonly sequence?: number;
  /** Such as `FREQ=DAILY;COUNT=2`. */
  readonly recurrenceRule?: string;
  readonly calendarName?: string;
  readonly geo?: { readonly lat: number; readonly lon: number };
  readonly organizer?: { readonly name: string; readonly email: string };
  readonly attendees: readonly { readonly name: string; readonly email: string; readonly rsvp: boolean }[];
}

/** A file within an archive. */
export interface ArchivedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** An archive of which a part is read: as many files as one response may hold. */
export interface UnzipTask {
  readonly bytes: Uint8Array;
  /** Number of the first file, from 0. */
  readonly from: number;
}

/** Files of an archive, and the index of the next one if there are more. */
export interface UnzippedPart {
  readonly files: readonly ArchivedFile[];
  readonly next?: number;
}

/** Work on the string of one item. */
export type TextJob =
  | { readonly kind: 'extractHtml'; readonly input: ExtractionTask }
  | { readonly kind: 'htmlToMarkdown'; readonly input: HtmlTask }
  | { readonly kind: 'markdownToHtml'; readonly input: MarkdownTask }
  | { readonly kind: 'readXml'; readonly input: ReadXmlTask }
  | { readonly kind: 'writeXml'; readonly input: WriteXmlTask };

/** Result for one string, or the error. */
export type TextOutcome = { readonly value: Json } | { readonly error: string };

/** The strings of several items. */
export interface TextsTask {
  readonly jobs: readonly TextJob[];
  /** True to skip the jobs after one that fails. */
  readonly stopsAtError: boolean;
}

/** The tasks of the program that processes documents. */
export interface DocumentTasks {
  readSheet: { readonly input: ReadSheetTask; readonly output: readonly JsonObject[] };
  writeSheet: { readonly input: WriteSheetTask; readonly output: Uint8Array };
  readCsv: { readonly input: ReadCsvTask; readonly output: readonly JsonObject[] };
  readPdf: { readonly input: ReadPdfTask; readonly output: JsonObject };
  readCalendar: { readonly input: { readonly text: string }; readonly output: Json };
  writeCalendar: { readonly input: WriteCalendarTask; readonly output: Uint8Array };
  zip: { readonly input: { readonly files: readonly ArchivedFile[] }; readonly output: Uint8Array };
  /** A TAR archive, optionally compressed with gzip. */
  tar: {
    readonly input: { readonly files: readonly ArchivedFile[]; readonly gzip: boolean };
    readonly output: Uint8Array;
  };
  untar: { readonly input: UnzipTask; readonly output: UnzippedPart };
  unzip: { readonly input: UnzipTask; readonly output: UnzippedPart };
  readMail: { readonly input: ReadMailTask; readonly output: ReadMail };
  readFeed: {
    readonly input: { readonly text: string; readonly customFields: readonly string[] };
    readonly output: readonly JsonObject[];
  };
  /** Outcomes of the first jobs, at least one. The others are sent in another task. */
  texts: { readonly input: TextsTask; readonly output: readonly TextOutcome[] };
}

/** Each kind of task with its input and output. */
export type FormatTasks = DocumentTasks & ImageTasks;

/** The program's response to a task. */
export type FormatAnswer<Kind extends keyof FormatTasks> =
  { readonly output: FormatTasks[Kind]['output'] } | { readonly error: string };

export const TIME_LIMIT_MS = 30_000;

/** Limits of one task in bytes, serialized. A result is a file of maximum size with its envelope. */
export const MAX_INPUT_BYTES = 64 * 1024 * 1024;
export const MAX_RESULT_BYTES = 33 * 1024 * 1024;
