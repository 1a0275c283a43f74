import { deserialize, serialize } from 'node:v8';
import type { NodeContext } from '@weft/engine';
import type { TaskAnswer } from '@weft/sandbox';
import { SEAL_HELP } from '../seal-help';
import { FormatError } from './format-error';
import { type FormatAnswer, type FormatTasks, MAX_INPUT_BYTES, MAX_RESULT_BYTES, TIME_LIMIT_MS } from './tasks';

const MIB = 1024 * 1024;

/** The part of a node run that work on untrusted data needs. */
export type FormatContext = Pick<NodeContext, 'signal'> & { readonly ports: Pick<NodeContext['ports'], 'formats'> };

type Stop = Extract<TaskAnswer, { readonly kind: 'stopped' }>['reason'];

/** The subject of a message: the input of a task. */
type Handled = 'The file' | 'The text';

/** A task was stopped, or never started. */
export class FormatStopped extends FormatError {
  /** True if the data is to blame, so that a task with less data may succeed. */
  readonly isByData: boolean;

  constructor(stop: Stop, what: Handled) {
    const { message, isByData } = explained(stop, what);
    super(message);
    this.isByData = isByData;
  }
}

/**
 * Reads or writes untrusted data in a process that belongs to the run's owner and has limited memory and time, which
 * contains the effect of hostile data. The input must not change until the task ends.
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
      return byData(`The result for ${what.toLowerCase()} exceeds ${MAX_RESULT_BYTES / MIB} MB. Use a smaller one.`);
    case 'input':
      return byData(`${what} is larger than ${MAX_INPUT_BYTES / MIB} MB. Use a smaller one.`);
    case 'never':
    case 'engine':
    case 'crash':
      return byData(`${what} could not be processed: the process ended early.`);
    case 'busy':
      return otherwise('Too many files are being read and written at once. Try again later.');
    case 'start':
      return otherwise('Could not start a process to read the file. Try again later.');
    case 'absent':
    case 'unsealed':
      return otherwise(`${what} cannot be handled: this runner cannot seal processes. ${SEAL_HELP}`);
    case 'aborted':
    case 'closed':
      return otherwise('The run was stopped.');
  }
}
