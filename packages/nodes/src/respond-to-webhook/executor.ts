import {
  type HttpResponse,
  type Item,
  type NodeContext,
  type NodeExecutor,
  NodeFailure,
  type NodeResult,
  output,
} from '@weft/engine';
import { booleanField, isJsonObject, textField } from '@weft/node-catalogue';
import { MAX_MESSAGE, say, showsOnlyMessages } from '../langchain/chat/transcript';
import { booleanParameter } from '../shared/read-parameter';
import { buildAnswer } from './build-answer';

/** Kinds with a caller to respond to. */
const CALLED = ['webhook', 'formTrigger', 'form', 'wait', 'langchain.chatTrigger'];

/** Responds to the request that started or resumed the run, then passes its items on. */
export const respondToWebhook: NodeExecutor = {
  kind: 'respondToWebhook',
  actsOutside: true,
  outputCount: (shape) =>
    hasResponseOutput(shape.version, shape.rawParameter('enableResponseOutput') === true) ? 2 : 1,
  run: (context) =>
    respond(context).catch((thrown: unknown) => {
      if (!context.continueOnFail || !(thrown instanceof NodeFailure)) throw thrown;
      return output([{ json: { error: thrown.message }, pairedItem: context.items.map((_, item) => ({ item })) }]);
    }),
};

async function respond(context: NodeContext): Promise<NodeResult> {
  checkUpstream(context);
  const { response, shown } = await buildAnswer(context);
  const items = context.items.map((item, index): Item => ({ ...item, pairedItem: { item: index } }));
  if (showsOnlyMessages(context.runMemory)) {
    say(context, chatText(response));
    return output(items);
  }
  if (streams(context)) streamAnswer(context, response);
  if (!hasResponseOutput(context.version, booleanParameter(context, 'enableResponseOutput', 0)))
    return { kind: 'respond', response, outputs: [items] };
  return { kind: 'respond', response, outputs: [items, [{ json: { response: shown } }]] };
}

/** The text of a response for a chat: the field that agents and chains give, or all of it. */
function chatText({ body }: HttpResponse): string {
  const text = Buffer.from(body).toString();
  const json = jsonOf(text);
  const shown = isJsonObject(json)
    ? (['output', 'text', 'message'].map((name) => textField(json, name)).find((value) => value !== undefined) ??
      JSON.stringify(json, undefined, 2))
    : text;
  return shown.slice(0, MAX_MESSAGE);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function streams(context: NodeContext): boolean {
  return context.version >= 1.5 && booleanField(context.parameter('options', 0), 'enableStreaming') !== false;
}

/** Sends the response to readers of the run: all items as one text each, any other response as one text. */
function streamAnswer(context: NodeContext, { body, fileId }: HttpResponse): void {
  if (fileId !== undefined || body.length === 0) return;
  const texts =
    context.parameter('respondWith', 0) === 'allIncomingItems'
      ? context.items.map(({ json }) => JSON.stringify(json))
      : [typeof body === 'string' ? body : Buffer.from(body).toString()];
  for (const [item, text] of texts.entries()) {
    const stream = context.streamText(item);
    stream?.write(text);
    stream?.end();
  }
}

function checkUpstream(context: NodeContext): void {
  if (context.version < 1.1 || CALLED.some((kind) => context.hasUpstream(kind))) return;
  throw new NodeFailure('No Webhook node found in the workflow', {
    description: 'Add a Webhook node before this one and set it to respond with a Respond to Webhook node.',
  });
}

function hasResponseOutput(version: number, enabled: boolean): boolean {
  return version === 1.3 || (version >= 1.4 && enabled);
}
