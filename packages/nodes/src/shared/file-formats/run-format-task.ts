import { deserialize, serialize } from 'node:v8';
import type { NodeContext } from '@weft/engine';
import type { TaskAnswer } from '@weft/sandbox';
import { SEAL_HELP } from '../seal-help';
import { FormatError } from './format-error';
import { type FormatAnswer, type FormatTasks, MAX_INPUT_BYTES, MAX_RESULT_BYTES, TIME_LIMIT_MS } from './tasks';

const MIB = 1024 * 1024;

/** The part of a node run that work on foreign data needs. */
export type FormatContext = Pick<NodeContext, 'signal'> & { readonly ports: Pick<NodeContext['ports'], 'formats'> };

type Stop = Extract<TaskAnswer, { readonly kind: 'stopped' }>['reason'];

/** What a task handles, as the subject of a message. */
type Handled = 'The file' | 'The text';

/** A task was ended, or never began. */
export class FormatStopped extends FormatError {
  /** True if the data are to blame: a task with less of them may do. */
  readonly isByData: boolean;

  constructor(stop: Stop, what: Handled) {
    const { message, isByData } = explained(stop, what);
    super(message);
    this.isByData = isByData;
  }
}

/**
 * Reads or writes foreign data in a process of the owner's, whose memory and time are limited: the effect of hostile
 * data ends with it. Nothing of the input may change until then.
 * @throws FormatError
 */
export const runFormatTask = async <Kind extends keyof FormatTasks>(
  { ports, signal }: FormatContext,
  kind: Kind,
  input: FormatTasks[Kind]['input'],
): Promise<FormatTasks[Kind]['output']> => {
  const answer = await ports.formats.run({ kind, input: serialize(input), signal });
  if (answer.kind === 'stopped')
    throw new FormatStopped(answer.reason, kind === 'texts' || kind === 'readFeed' ? 'The text' : 'The file');
  const told: FormatAnswer<Kind> = deserialize(answer.result);
  if ('error' in told) throw new FormatError(String(told.error));
  return told.output;
};

function explained(stop: Stop, what: Handled): { readonly message: string; readonly isByData: boolean } {
  const byData = (message: string) => ({ message, isByData: true });
  const otherwise = (message: string) => ({ message, isByData: false });
  switch (stop) {
    case 'time':
      return byData(`${what} took longer than ${TIME_LIMIT_MS / 1_000} seconds. Use a smaller one.`);
    case 'memory':
      return byData(`${what} needs too much memory. Use a smaller one.`);
    case 'result':
      return byData(`${what} becomes more than ${MAX_RESULT_BYTES / MIB} MB. Use a smaller one.`);
    case 'input':
      return byData(`${what} is larger than ${MAX_INPUT_BYTES / MIB} MB. Use a smaller one.`);
    case 'never':
    case 'engine':
    case 'crash':
      return byData(`${what} cannot be handled: reading it ended early.`);
    case 'busy':
      return otherwise('Too many files are being read and written at once. Try again later.');
    case 'start':
      return otherwise('No process that reads files could be started. Try again later.');
    case 'unsealed':
      return otherwise(`${what} cannot be handled: this runner cannot seal processes. ${SEAL_HELP}`);
    case 'aborted':
    case 'closed':
      return otherwise('The run was stopped.');
  }
}
