import type { CallerRequest } from '@weft/engine';
import type { ChatWait, FormWait, WebhookWait } from '@weft/proto/channels';

/** The form that a run waits for. @throws Error if it waits for something else */
export const formWaitOf = ({ settings: { channel } }: CallerRequest): FormWait => {
  if (channel?.$case !== 'form') throw new Error('Expected the run to wait for a form.');
  return channel.value;
};

/** The call that a run waits for. @throws Error if it waits for something else */
export const webhookWaitOf = ({ settings: { channel } }: CallerRequest): WebhookWait => {
  if (channel?.$case !== 'webhook') throw new Error('Expected the run to wait for a webhook call.');
  return channel.value;
};

/** The reply that a run waits for. @throws Error if it waits for something else */
export const chatWaitOf = ({ settings: { channel } }: CallerRequest): ChatWait => {
  if (channel?.$case !== 'chat') throw new Error('Expected the run to wait for a reply in its chat.');
  return channel.value;
};
