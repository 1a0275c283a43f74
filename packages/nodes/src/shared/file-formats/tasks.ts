import type { Json, JsonObject } from '@weft/node-catalogue';

/** Maximum number of rows of one table. */
export const MAX_ROWS = 200_000;

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
  /** The file is text in UTF-8. */
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
  /** A name from the Encoding Standard. */
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

/** Each kind of task, with its input and output. */
export interface FormatTasks {
  readSheet: { readonly input: ReadSheetTask; readonly output: readonly JsonObject[] };
  writeSheet: { readonly input: WriteSheetTask; readonly output: Uint8Array };
  readCsv: { readonly input: ReadCsvTask; readonly output: readonly JsonObject[] };
  readPdf: { readonly input: ReadPdfTask; readonly output: JsonObject };
  readCalendar: { readonly input: { readonly text: string }; readonly output: Json };
  writeCalendar: { readonly input: WriteCalendarTask; readonly output: Uint8Array };
  zip: { readonly input: { readonly files: readonly ArchivedFile[] }; readonly output: Uint8Array };
  unzip: { readonly input: { readonly bytes: Uint8Array }; readonly output: readonly ArchivedFile[] };
}

/** Implementations by kind of task. */
export type FormatWork = {
  readonly [Kind in keyof FormatTasks]: (
    input: FormatTasks[Kind]['input'],
  ) => FormatTasks[Kind]['output'] | Promise<FormatTasks[Kind]['output']>;
};

/** A file cannot be read or written; the message is for the user. */
export class FormatError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'FormatError';
  }
}

/** The message a worker starts with. */
export interface WorkerOrder<Kind extends keyof FormatTasks> {
  readonly kind: Kind;
  readonly input: FormatTasks[Kind]['input'];
}

/** The only message that it sends back. */
export type WorkerAnswer<Kind extends keyof FormatTasks> =
  { readonly output: FormatTasks[Kind]['output'] } | { readonly error: string };
