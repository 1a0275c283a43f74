import type { JsonObject } from '@weft/node-catalogue';
import type { Item } from '../../engine/items';
import type { NodeContext, NodeExecutor } from '../../engine/node';
import { output } from '../../engine/node';
import { messageOf, NodeFailure } from '../../engine/node-failure';
import { MailFailed, type Mail, type MailReceipt } from '../../ports/mail';
import { OutboundError } from '../../ports/outbound-http';
import { booleanParameter, choiceParameter } from '../read-parameter';
import { mailServerOf } from './mail-server';
import { readMail } from './read-mail';

/** Sends a mail for each item by a server that a credential names. Nothing is added to the mail. Versions 1 to 2.1. */
export const emailSend: NodeExecutor = { kind: 'emailSend', actsOutside: true, run: async (context) => output(await sendAll(context)) };

/** One mail after the other: what a server took over cannot be taken back, so a failure stops the rest. */
async function sendAll(context: NodeContext): Promise<Item[]> {
  choiceParameter(context, 'operation', 0, ['send'], 'send');
  const credential = await context.credential('smtp');
  const items: Item[] = [];
  for (const index of context.items.keys()) {
    const pairedItem = { item: index };
    try {
      items.push({ json: await sendOne(context, credential, index), pairedItem });
    } catch (thrown) {
      if (context.signal.aborted) throw thrown;
      if (!context.continueOnFail) throw failureOf(thrown, index);
      items.push({ json: { error: messageOf(thrown) }, pairedItem });
    }
  }
  return items;
}

async function sendOne(context: NodeContext, credential: JsonObject, itemIndex: number): Promise<JsonObject> {
  const server = mailServerOf(credential, booleanParameter(context, 'options.allowUnauthorizedCerts', itemIndex));
  const mail = await readMail(context, itemIndex);
  return outputOf(mail, await context.ports.mail.send(server, mail, context.signal));
}

function outputOf({ messageId }: Mail, receipt: MailReceipt): JsonObject {
  const { accepted, rejected, refusals, ehlo, envelopeTime, messageTime, messageSize, response, envelope } = receipt;
  return {
    accepted: [...accepted], rejected: [...rejected],
    ...(refusals.length === 0 ? {} : { rejectedErrors: refusals.map((refusal) => ({ ...refusal })) }),
    ehlo: [...ehlo], envelopeTime, messageTime, messageSize, response,
    envelope: { from: envelope.from, to: [...envelope.to] }, messageId,
  };
}

function failureOf(thrown: unknown, itemIndex: number): NodeFailure {
  if (thrown instanceof NodeFailure) return thrown;
  const context: JsonObject = thrown instanceof MailFailed
    ? { code: thrown.code, ...(thrown.responseCode === undefined ? {} : { responseCode: thrown.responseCode }) }
    : thrown instanceof OutboundError ? { code: thrown.systemCode ?? thrown.code } : {};
  return new NodeFailure(messageOf(thrown), { itemIndex, context, cause: thrown });
}
