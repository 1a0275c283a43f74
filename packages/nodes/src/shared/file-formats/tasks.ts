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

/** Limit in bytes of all files of an archive, unpacked. */
export const MAX_UNPACKED = 128 * 1024 * 1024;

/** Kinds of files that hold a table and are written by one library. */
export type SheetFormat = 'csv' | 'html' | 'ods' | 'rtf' | 'xls' | 'xlsx';

/** Options for reading a table. */
export interface ReadSheetTask {
  readonly bytes: Uint8Array;
  /** The first sheet if absent. */
  readonly sheetName?: string;
  /** Such as `A1:C5`, or the number of the first row, from 0. */
  readonly range?: string | number;
  /** False: rows are lists, given as `{ row }`. */
  readonly hasHeader: boolean;
  readonly includeEmptyCells: boolean;
  /** Values are strings where the format does not state a type. */
  readonly raw: boolean;
  /** The file is text in UTF-8, unless it is of a format that is none. */
  readonly asText: boolean;
}

/** Options for writing a table. */
export interface WriteSheetTask {
  readonly format: SheetFormat;
  readonly rows: readonly JsonObject[];
  readonly sheetName: string;
  readonly hasHeader: boolean;
  readonly compression: boolean;
  /** Of CSV; a comma if absent. */
  readonly delimiter?: string;
}

/** Options for reading CSV text. Values are strings. */
export interface ReadCsvTask {
  readonly bytes: Uint8Array;
  /** A name from the Encoding Standard; `latin1` and `binary` are the first 256 characters. */
  readonly encoding: string;
  readonly delimiter: string;
  /** The byte order mark is left out; it is part of the first name otherwise. */
  readonly stripBom: boolean;
  /** From 1. */
  readonly fromLine: number;
  readonly maxRows?: number;
  readonly hasHeader: boolean;
  readonly includeEmptyCells: boolean;
  readonly relaxQuotes: boolean;
  readonly skipBadRecords: boolean;
  /** Maximum number of skipped records; any number if absent. */
  readonly maxSkipped?: number;
}

/** Options for reading a PDF. */
export interface ReadPdfTask {
  readonly bytes: Uint8Array;
  readonly password?: string;
  readonly maxPages?: number;
  /** One text; a list with a string for each page otherwise. */
  readonly joinPages: boolean;
}

/** One event of a calendar. */
export interface WriteCalendarTask {
  readonly summary: string;
  readonly uid: string;
  /** ISO texts. */
  readonly start: string;
  readonly end: string;
  readonly stamp: string;
  readonly allDay: boolean;
  readonly description?: string;
  readonly location?: string;
  readonly url?: string;
  readonly status?: 'CONFIRMED' | 'TENTATIVE' | 'CANCELLED';
  /** Stated for programs of Microsoft. */
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

/** An archive of which a part is read: as many files as one answer may hold. */
export interface UnzipTask {
  readonly bytes: Uint8Array;
  /** Number of the first file, from 0. */
  readonly from: number;
}

/** Files of an archive, and the number of the next one if there are more. */
export interface UnzippedPart {
  readonly files: readonly ArchivedFile[];
  readonly next?: number;
}

/** Work on the text of one item. */
export type TextJob =
  | { readonly kind: 'extractHtml'; readonly input: ExtractionTask }
  | { readonly kind: 'htmlToMarkdown'; readonly input: HtmlTask }
  | { readonly kind: 'markdownToHtml'; readonly input: MarkdownTask }
  | { readonly kind: 'readXml'; readonly input: ReadXmlTask }
  | { readonly kind: 'writeXml'; readonly input: WriteXmlTask };

/** Result of the work on one text, or why there is none. */
export type TextOutcome = { readonly value: Json } | { readonly error: string };

/** Texts of several items. */
export interface TextsTask {
  readonly jobs: readonly TextJob[];
  /** True to leave out the jobs behind one that fails. */
  readonly stopsAtError: boolean;
}

/** The tasks of the program that handles documents. */
export interface DocumentTasks {
  readSheet: { readonly input: ReadSheetTask; readonly output: readonly JsonObject[] };
  writeSheet: { readonly input: WriteSheetTask; readonly output: Uint8Array };
  readCsv: { readonly input: ReadCsvTask; readonly output: readonly JsonObject[] };
  readPdf: { readonly input: ReadPdfTask; readonly output: JsonObject };
  readCalendar: { readonly input: { readonly text: string }; readonly output: Json };
  writeCalendar: { readonly input: WriteCalendarTask; readonly output: Uint8Array };
  zip: { readonly input: { readonly files: readonly ArchivedFile[] }; readonly output: Uint8Array };
  /** A TAR archive, packed by gzip if wanted. */
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
  /** Outcomes of the first jobs, at least of one: the others take part in another task. */
  texts: { readonly input: TextsTask; readonly output: readonly TextOutcome[] };
}

/** Each kind of task, with its input and output. */
export type FormatTasks = DocumentTasks & ImageTasks;

/** What the program answers to a task. */
export type FormatAnswer<Kind extends keyof FormatTasks> =
  { readonly output: FormatTasks[Kind]['output'] } | { readonly error: string };

/** Time limit of one task. */
export const TIME_LIMIT_MS = 30_000;

/** Limits of one task in bytes, as it travels. A result is a file of the largest size, with what goes around it. */
export const MAX_INPUT_BYTES = 64 * 1024 * 1024;
export const MAX_RESULT_BYTES = 33 * 1024 * 1024;
