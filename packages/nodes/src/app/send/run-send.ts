import type { AppSend } from '@weft/app-model';
import type { JsonObject } from '@weft/node-catalogue';
import type { NodeContext, NodeResult } from '@weft/engine';
import { askAndWait } from '../../shared/questions/ask-and-wait';
import type { Question } from '../../shared/questions/question';
import { questionBody } from '../../shared/questions/question-mail';
import type { AppRun } from '../app-run';
import { withDelays } from '../delayed-items';
import type { PreparedOperation } from '../prepare-app';
import type { ParameterReader } from '../read-parameters';
import { runOperation } from '../run-operation';

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
  return askAndWait(context, { approve, disapprove }, (question) =>
    withDelays(context, async (progress) => {
      await runOperation(operation, reader.read(0), run, 0, progress, { $send: rootOf(question) });
      return undefined;
    }),
  );
}

/** `$send`: `{ subject, message, buttons: [{ label, url, style, approved }], html, text }`. */
function rootOf(question: Question): JsonObject {
  const { subject, message, buttons } = question;
  return { subject, message, buttons: buttons.map((button) => ({ ...button })), ...questionBody(question) };
}
