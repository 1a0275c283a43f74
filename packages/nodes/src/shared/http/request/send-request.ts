import type { OutboundHttp, OutboundResponse } from '@weft/outbound';
import { buildRequest, type RequestDeps } from './build-request';
import { redactor } from '../response/redact';
import { exchangeFailure } from '../request-failed';
import type { RequestSettings } from '../settings';

/**
 * Sends one request and returns its response, whatever its status.
 * @throws NodeFailure if it cannot be sent or gets no response; its message contains no secret of the credential
 */
export async function sendRequest(
  http: OutboundHttp,
  settings: RequestSettings,
  around: RequestDeps,
  itemIndex: number,
): Promise<OutboundResponse> {
  const request = await buildRequest(settings, around);
  try {
    const { exchange } = around.credential;
    return await (exchange === undefined ? http.request(request) : exchange(request, (one) => http.request(one)));
  } catch (thrown) {
    throw exchangeFailure(thrown, itemIndex, redactor(around.credential.secrets()), settings);
  }
}

/** True for a status that counts as a success. */
export function isSuccess(response: OutboundResponse): boolean {
  return response.status >= 200 && response.status < 300;
}
