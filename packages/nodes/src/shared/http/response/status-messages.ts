/** n8n's error messages by status, which workflows match on. */
const MESSAGES: ReadonlyMap<number, string> = new Map([
  [400, 'Bad request - please check your parameters'],
  [401, 'Authorization failed - please check your credentials'],
  [402, 'Payment required - perhaps check your payment details?'],
  [403, 'Forbidden - perhaps check your credentials?'],
  [404, 'The resource you are requesting could not be found'],
  [405, 'Method not allowed - please check you are using the right HTTP method'],
  [429, 'The service is receiving too many requests from you'],
  [500, 'The service was not able to process your request'],
  [502, 'Bad gateway - the service failed to handle your request'],
  [
    503,
    'Service unavailable - try again later or consider setting this node to retry automatically (in the node settings)',
  ],
  [504, 'Gateway timed out - perhaps try again later?'],
]);

/** n8n's error messages by system error code. */
const CONNECTION_MESSAGES: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'The service refused the connection - perhaps it is offline'],
  [
    'ECONNRESET',
    'The connection to the server was closed unexpectedly, perhaps it is offline. ' +
      'You can retry the request immediately or wait and retry later.',
  ],
  ['ENOTFOUND', 'The connection cannot be established, this usually occurs due to an incorrect host (domain) value'],
  ['ETIMEDOUT', "The connection timed out, consider setting the 'Retry on Fail' option in the node settings"],
  ['EHOSTUNREACH', 'The host is unreachable, perhaps the server is offline'],
  ['EAI_AGAIN', 'The DNS server returned an error, perhaps the server is offline'],
  ['ECONNABORTED', 'The connection was aborted, perhaps the server is offline'],
]);

/** The message for an unsuccessful status; undefined for redirects that were not followed. */
export function statusMessage(status: number): string | undefined {
  const known = MESSAGES.get(status);
  if (known !== undefined) return known;
  if (status >= 500) return 'The service failed to process your request';
  return status >= 400 ? 'Your request is invalid or could not be processed by the service' : undefined;
}

/** The message for a request without a response; undefined for codes that have none. */
export const connectionMessage = (code: string): string | undefined => CONNECTION_MESSAGES.get(code);
