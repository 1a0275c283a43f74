import type { AppSend } from '@weft/app-model';
import type { JsonObject } from '@weft/node-catalogue';
import type { NodeContext, NodeResult } from '@weft/engine';
import { askAndWait } from '../../shared/questions/ask-and-wait';
import type { Question } from '../../shared/questions/question';
import { questionBody } from '../../shared/questions/question-mail';
import type { AppRun } from '../app-run';
import { DelayedItems } from '../delayed-items';
import type { PreparedOperation } from '../prepare-app';
import type { ParameterReader } from '../read-parameters';
import { runOperation } from '../run-operation';
import { LongDelay } from '../send-call';

/** A run of an operation with `send`. */
export interface SendRun {
  readonly context: NodeContext;
  readonly run: AppRun;
  readonly operation: PreparedOperation;
  readonly send: AppSend;
  readonly reader: ParameterReader;
}

/**
 * Sends a message with links for the first item, and waits for the response. A long delay that the service asks for
 * ends the node run with a wait, after which the finished steps are not repeated.
 * @throws NodeFailure if the message cannot be sent
 */
export function runSend({ context, run, operation, send, reader }: SendRun): Promise<NodeResult> {
  const { approve = 'Approve', disapprove = 'Decline' } = send;
  return askAndWait(context, { approve, disapprove }, async (question) => {
    const delayed = new DelayedItems(context);
    const progress = delayed.progress(0);
    try {
      await runOperation(operation, reader.read(0), run, 0, progress, { $send: rootOf(question) });
    } catch (thrown) {
      if (!(thrown instanceof LongDelay)) throw thrown;
      delayed.delay(0, progress, thrown);
      return { kind: 'wait', wait: { kind: 'timer', at: delayed.store() } };
    }
    delayed.clear();
    return undefined;
  });
}

/** `$send`: `{ subject, message, buttons: [{ label, url, style, approved }], html, text }`. */
function rootOf(question: Question): JsonObject {
  const { subject, message, buttons } = question;
  return { subject, message, buttons: buttons.map((button) => ({ ...button })), ...questionBody(question) };
}
