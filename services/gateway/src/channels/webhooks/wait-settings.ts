import type { FindWaitResponse } from '@weft/proto/executions';
import { InternalError } from '@weft/service-kit/errors';
import { isJsonObject, type JsonObject, parseJson } from '@weft/service-kit/json';

/** Which address ends a wait: /webhook-waiting or /form-waiting. */
export type InboundChannel = 'webhook' | 'form';

/** What a run says about the callers it waits for. */
export interface WaitSettings {
  readonly channel: InboundChannel;
  /** What has to follow the token in the address; empty: nothing. */
  readonly suffix: string;
  /** Agreed between the node that waits and the handler of the channel. */
  readonly rest: JsonObject;
}

/** Reads the settings of a wait. One without any, of a token that only programs know, is behind no channel. */
export const readWaitSettings = ({ settingsJson }: FindWaitResponse): WaitSettings | undefined => {
  if (settingsJson === '') return undefined;
  const settings = parseJson(Buffer.from(settingsJson));
  if (!isJsonObject(settings)) throw new InternalError(new Error('The settings of a wait are no object.'));
  const { channel, suffix } = settings;
  if ((channel !== 'webhook' && channel !== 'form') || typeof suffix !== 'string')
    throw new InternalError(new Error('The settings of a wait name no channel.'));
  return { channel, suffix, rest: settings };
};
