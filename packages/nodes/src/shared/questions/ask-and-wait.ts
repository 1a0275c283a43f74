import { type CallerRequest, messageOf, type NodeContext, type NodeResult, output, resumeTokenOf } from '@weft/engine';
import { endOfLimit, type WaitContext } from '../../wait/end-of-wait';
import { answerItem, answerSettings } from './answer';
import { type ButtonLabels, type Question, questionOf } from './question';

const LIMIT = 'options.limitWaitTime.values';
/** Key in the memory of the node of the end of the wait in Unix milliseconds, 0 for none: the message was sent. */
const ASKED = 'asked';

/** Sends a question. @returns the result of the node if it must continue sending later */
export type SendQuestion = (question: Question) => Promise<NodeResult | undefined>;

/**
 * Sends one message with links, for the first item, and waits without a slot for the response: a button, or a
 * submitted page. The item is then `{ data }`; after the time limit, the input items of the node pass through.
 * @throws NodeFailure if the message cannot be sent
 */
export async function askAndWait(context: NodeContext, labels: ButtonLabels, send: SendQuestion): Promise<NodeResult> {
  const known = context.memory[ASKED];
  if (context.resume !== undefined && typeof known === 'number') {
    delete context.memory[ASKED];
    return output(
      context.resume.kind === 'webhook'
        ? [answerItem(context, context.resume.item)]
        : context.items.map((item, index) => ({ ...item, pairedItem: { item: index } })),
    );
  }
  // A run that resumes on another runner before the response has already sent the message.
  if (typeof known === 'number') return waitUntil(context, labels, known === 0 ? undefined : known);
  const at = limitOf(context);
  // Before the message is sent: its link must lead to a page.
  const wait = waitUntil(context, labels, at);
  try {
    const later = await send(questionOf(context, labels, at));
    if (later !== undefined) return later;
  } catch (thrown) {
    if (!context.continueOnFail || context.signal.aborted) throw thrown;
    return output([{ json: { error: messageOf(thrown) }, pairedItem: { item: 0 } }]);
  }
  context.memory[ASKED] = at ?? 0;
  return wait;
}

function waitUntil(context: NodeContext, labels: ButtonLabels, at: number | undefined): NodeResult {
  const settings = answerSettings(context, labels);
  const token = resumeTokenOf(context.runMemory);
  const wait: CallerRequest = { kind: 'webhook', token, settings, ...(at === undefined ? {} : { at }) };
  return { kind: 'wait', wait };
}

/** End of the wait that the options of the node set, in Unix milliseconds; undefined: no limit. @throws NodeFailure */
export function limitOf(context: NodeContext): number | undefined {
  if (context.rawParameter(LIMIT) === undefined) return undefined;
  const within: WaitContext = {
    parameter: (path, index) => context.parameter(path, index) ?? context.defaultOf(path),
    defaultOf: (path) => context.defaultOf(path),
    timezone: context.timezone,
    ports: context.ports,
  };
  return endOfLimit(within, LIMIT);
}
