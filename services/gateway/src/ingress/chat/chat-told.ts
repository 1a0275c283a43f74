import type { ChatWait } from '@weft/proto/channels';
import type { ChatAnswerType, ChatTold } from '@weft/proto/chat-answer';
import type { FindWaitResponse, HttpResponse } from '@weft/proto/executions';

const CHAT_ANSWER_TYPE: ChatAnswerType = 'application/vnd.weft.chat+json';

/** The response of a run to its chat as a line of a stream; undefined for another response. */
export const chatLine = ({ headers, body }: HttpResponse): string | undefined => {
  const type = headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value;
  if (type !== CHAT_ANSWER_TYPE) return undefined;
  const told: ChatTold = JSON.parse(body.toString());
  return lineOf(told);
};

/** The line of a stream that shows the state of a chat. */
export const lineOf = (told: ChatTold): string => `${JSON.stringify({ type: 'chat', ...told })}\n`;

/** The reply that a run waits for; undefined if it waits for something else. */
export const chatWaitOf = ({ settings }: FindWaitResponse): ChatWait | undefined =>
  settings?.channel?.$case === 'chat' ? settings.channel.value : undefined;

/** State of a chat whose run waits. @param wait undefined: for something other than a reply */
export const toldOfWait = (token: string, suffix: string, wait: ChatWait | undefined): ChatTold => {
  if (wait === undefined) return { messages: [], since: 0, isPaused: true };
  const { messages, since, buttons, blocksText, endsAtMs } = wait;
  const ends = endsAtMs === undefined ? {} : { endsAt: endsAtMs };
  return { messages, since, reply: { path: `/webhook-waiting/${token}/${suffix}`, buttons, blocksText, ...ends } };
};

/** The same as the response of a run. */
export const chatResponse = (told: ChatTold): HttpResponse => ({
  statusCode: 200,
  headers: [{ name: 'content-type', value: CHAT_ANSWER_TYPE }],
  body: Buffer.from(JSON.stringify(told)),
});
