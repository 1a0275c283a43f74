import { WaitSettings } from '@weft/proto/channels';
import type { ReadChatWait } from '../../domain/end/reply-to-chat';

/** Reads the chat in the encoded settings of a wait. */
export const readChatWait: ReadChatWait = (settings) => {
  const { channel } = WaitSettings.decode(settings);
  return channel?.$case === 'chat' ? channel.value : undefined;
};
