import { NodeFailure } from '@weft/engine';
import { OutboundError, ResultRefused } from '@weft/outbound';
import { RunError } from '../claims/held/execution-store';

const MIB = 1024 * 1024;
const ASK_FOR_LESS = 'Request less at a time, with a limit or a condition.';

const shown = (bytes: number): string => `${Math.round((bytes / MIB) * 10) / 10} MB`;

const sentenceOf = (bytes: number, limitBytes: number): string =>
  `The run holds about ${shown(bytes)} of memory; the limit of one run is ${shown(limitBytes)}.`;

/** A run exceeds the memory limit of a run. */
export class RunOverBudget extends RunError {
  constructor(bytes: number, limitBytes: number) {
    super(
      'RUN_MEMORY_EXCEEDED',
      `${sentenceOf(bytes, limitBytes)} Process fewer items at once, for example in sub-workflows that are ` +
        'called for each batch.',
    );
  }
}

/** A node has fetched more than its run may hold. */
export const fetchedTooMuch = (bytes: number, limitBytes: number): NodeFailure =>
  new NodeFailure(sentenceOf(bytes, limitBytes), {
    description: 'Fetch less at a time: loop over batches of items, or limit the number of pages.',
  });

/** A session has received more than its run may hold. */
export const receivedTooMuch = (bytes: number, limitBytes: number): ResultRefused =>
  new ResultRefused(`${sentenceOf(bytes, limitBytes)} ${ASK_FOR_LESS}`);

/** A session has received more than fits into the memory of the process. */
export const receivedWithoutRoom = (): ResultRefused =>
  new ResultRefused(`The runner does not have enough memory for the response of the server. ${ASK_FOR_LESS}`);

/** A response has waited for memory for too long. */
export const fetchedWithoutRoom = (): OutboundError =>
  new OutboundError('TOO_LARGE', `The runner has had no memory for the response for five minutes. ${ASK_FOR_LESS}`);

/** A streamed response has exceeded the memory of the process. */
export const streamedWithoutRoom = (): OutboundError =>
  new OutboundError('TOO_LARGE', `The runner does not have enough memory for the response. ${ASK_FOR_LESS}`);
