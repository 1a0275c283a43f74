import { deserialize, serialize } from 'node:v8';
import { TaskOutOfMemory } from '@weft/sandbox/program';
import { readMailSource } from '../../email-read-imap/read-mail-source';
import { readFeed } from '../../rss-feed-read/read-feed';
import { unzip, zip } from './archives';
import { readCalendar, writeCalendar } from './calendars';
import { readCsv } from './csv';
import { reasonOf } from './format-error';
import { readPdf } from './pdf';
import { readSheet, writeSheet } from './sheets';
import { tar, untar } from './tar';
import type { FormatAnswer, DocumentTasks } from './tasks';
import { workOnTexts } from './texts';

/** Implementations by kind of task. */
type FormatWork = {
  readonly [Kind in keyof DocumentTasks]: (
    input: DocumentTasks[Kind]['input'],
  ) => DocumentTasks[Kind]['output'] | Promise<DocumentTasks[Kind]['output']>;
};

const WORK: FormatWork = {
  readSheet,
  writeSheet,
  readCsv,
  readPdf,
  readCalendar,
  writeCalendar,
  zip,
  unzip,
  tar,
  untar,
  readMail: readMailSource,
  readFeed: ({ text, customFields }) => readFeed(text, customFields),
  texts: workOnTexts,
};

const isKind = (kind: string): kind is keyof DocumentTasks => Object.hasOwn(WORK, kind);

/** V8 and Node report this only in a message, which libraries wrap in other errors. */
const OUT_OF_MEMORY = /allocation failed|Failed to allocate/i;

/** Runs one task. @throws TaskOutOfMemory */
export const doTask = async <Kind extends keyof DocumentTasks>(
  kind: Kind,
  input: DocumentTasks[Kind]['input'],
): Promise<FormatAnswer<Kind>> => {
  try {
    const work: FormatWork[Kind] = WORK[kind];
    return { output: await work(input) };
  } catch (error) {
    if (OUT_OF_MEMORY.test(String(error))) throw new TaskOutOfMemory(error);
    return { error: reasonOf(error) };
  }
};

/** Runs one serialized task. @throws Error for an unknown kind; TaskOutOfMemory */
export const doEncodedTask = async (kind: string, input: Uint8Array): Promise<Uint8Array> => {
  if (!isKind(kind)) throw new Error(`Unknown task: ${kind}`);
  return serialize(await doTask(kind, deserialize(input)));
};
