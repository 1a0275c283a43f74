import { LIMITS, limitSentence } from '@weft/service-kit/limits';
import { NodeFailure } from '../node/node-failure';
import { noteSize } from './record-size';
import type { ExecutionError, NodeRunRecord } from './run-record';

/** More than any text of the language can have. */
const UNWRITABLE_BYTES = 512 * 1024 * 1024;

const LESS_AT_A_TIME = 'Handle less at a time: loop over batches of items, or leave out fields that are not needed.';

/** Limit of characters of a message or a description in a record. */
const MAX_TEXT = 64 * 1024;
const MAX_CONTEXT = 256 * 1024;

/** Lets other runs have the thread, if this one has had it for long. */
type Pause = () => Promise<void> | undefined;

const textOf = (record: NodeRunRecord): string | undefined => {
  try {
    return JSON.stringify(record);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
};

/** Characters of a text that is turned into bytes in the turn in which it was written. */
const SHORT_TEXT = 1024 * 1024;

/** The bytes of a record, or nothing if no text can hold it. Others may have the thread before a long text's. */
const write = async (record: NodeRunRecord, pause: Pause): Promise<Buffer | undefined> => {
  const text = textOf(record);
  if (text === undefined) return undefined;
  if (text.length > SHORT_TEXT) await pause();
  return Buffer.from(text);
};

/**
 * The JSON of a record, once: it is what will be stored.
 * @param before bytes of all records of the run so far
 * @throws NodeFailure naming the limit that it exceeds
 */
export const writeRecord = async (record: NodeRunRecord, before: number, pause: Pause): Promise<Uint8Array> => {
  const json = await write(record, pause);
  const bytes = json?.length ?? UNWRITABLE_BYTES;
  if (json === undefined || bytes > LIMITS.nodeOutput.max)
    throw new NodeFailure(limitSentence(LIMITS.nodeOutput, bytes), { description: LESS_AT_A_TIME });
  if (before + bytes > LIMITS.runData.max)
    throw new NodeFailure(limitSentence(LIMITS.runData, before + bytes), { description: LESS_AT_A_TIME });
  noteSize(record, bytes);
  return json;
};

const cut = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text);

/** An error that fits a record whatever it was made from. */
export const boundedError = ({ message, description, context, ...rest }: ExecutionError): ExecutionError => ({
  ...rest,
  message: cut(message),
  ...(description === undefined ? {} : { description: cut(description) }),
  ...(context === undefined || JSON.stringify(context).length > MAX_CONTEXT ? {} : { context }),
});
