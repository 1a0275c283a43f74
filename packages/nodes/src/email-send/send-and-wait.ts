import type { NodeContext, NodeResult } from '@weft/engine';
import { askAndWait } from '../shared/questions/ask-and-wait';
import { questionBody } from '../shared/questions/question-mail';
import { deliverMail } from './deliver-mail';
import { mailHead } from './read-mail';

const LABELS = { approve: 'Approve', disapprove: 'Decline' };

/**
 * Sends one mail with buttons, for the first item, and waits for the response.
 * @throws NodeFailure if the mail cannot be sent
 */
export function sendAndWait(context: NodeContext): Promise<NodeResult> {
  return askAndWait(context, LABELS, async (question) => {
    const head = mailHead(context, 0, { cc: 'options.ccEmail', bcc: 'options.bccEmail' });
    await deliverMail(context, { ...head, ...questionBody(question), attachments: [] }, 0);
    return undefined;
  });
}
