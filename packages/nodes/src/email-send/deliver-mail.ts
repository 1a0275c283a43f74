import type { JsonObject } from '@weft/node-catalogue';
import { messageOf, type NodeContext, NodeFailure } from '@weft/engine';
import { type Mail, MailFailed, type MailReceipt, OutboundError } from '@weft/outbound';
import { booleanParameter } from '../shared/read-parameter';
import { mailServerOf } from './mail-server';

/** Sends a mail through the server in the node's credential. @throws NodeFailure if the server rejects it */
export async function deliverMail(context: NodeContext, mail: Mail, itemIndex: number): Promise<MailReceipt> {
  const server = mailServerOf(
    await context.credential('smtp'),
    booleanParameter(context, 'options.allowUnauthorizedCerts', itemIndex),
  );
  try {
    return await context.ports.mail.send(server, mail, context.signal);
  } catch (thrown) {
    throw new NodeFailure(messageOf(thrown), { itemIndex, context: factsOf(thrown), cause: thrown });
  }
}

function factsOf(thrown: unknown): JsonObject {
  if (thrown instanceof MailFailed)
    return { code: thrown.code, ...(thrown.responseCode === undefined ? {} : { responseCode: thrown.responseCode }) };
  return thrown instanceof OutboundError ? { code: thrown.systemCode ?? thrown.code } : {};
}
