import type { JsonObject } from '@weft/node-catalogue';
import { type Item, messageOf, type NodeContext, type NodeExecutor, type NodeResult, output } from '@weft/engine';
import type { Mail, MailReceipt } from '@weft/outbound';
import { choiceParameter } from '../shared/read-parameter';
import { deliverMail } from './deliver-mail';
import { readMail } from './read-mail';
import { sendAndWait } from './send-and-wait';

/**
 * Sends a mail for each item through the server in a credential, or one mail with buttons. Nothing is added to mails.
 * Versions 1 to 2.1.
 */
export const emailSend: NodeExecutor = {
  kind: 'emailSend',
  actsOutside: true,
  awaitsCaller: (shape) => (shape.rawParameter('operation') ?? 'send') !== 'send',
  run: (context) => (isQuestion(context) ? sendAndWait(context) : sendAll(context)),
};

function isQuestion(context: NodeContext): boolean {
  return (
    context.version >= 2 && choiceParameter(context, 'operation', 0, ['send', 'sendAndWait'], 'send') === 'sendAndWait'
  );
}

/** Sends mails in sequence. Accepted mails cannot be recalled, so a failure stops the rest. */
async function sendAll(context: NodeContext): Promise<NodeResult> {
  const items: Item[] = [];
  for (const index of context.items.keys()) {
    const pairedItem = { item: index };
    try {
      const mail = await readMail(context, index);
      items.push({ json: outputOf(mail, await deliverMail(context, mail, index)), pairedItem });
    } catch (thrown) {
      if (context.signal.aborted || !context.continueOnFail) throw thrown;
      items.push({ json: { error: messageOf(thrown) }, pairedItem });
    }
  }
  return output(items);
}

function outputOf({ messageId }: Mail, receipt: MailReceipt): JsonObject {
  const { accepted, rejected, refusals, ehlo, envelopeTime, messageTime, messageSize, response, envelope } = receipt;
  return {
    accepted: [...accepted],
    rejected: [...rejected],
    ...(refusals.length === 0 ? {} : { rejectedErrors: refusals.map((refusal) => ({ ...refusal })) }),
    ehlo: [...ehlo],
    envelopeTime,
    messageTime,
    messageSize,
    response,
    envelope: { from: envelope.from, to: [...envelope.to] },
    messageId,
  };
}
