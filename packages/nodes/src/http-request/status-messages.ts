/** Meaning of a status for the author of the workflow. */
const MESSAGES: ReadonlyMap<number, string> = new Map([
  [400, 'The service did not accept the request. Check the parameters'],
  [401, 'The service did not accept the credentials'],
  [402, 'The service asks for a payment'],
  [403, 'The service forbids the request. Check the rights of the credentials'],
  [404, 'The service does not know the address or the thing that was asked for'],
  [405, 'The service does not allow this method here'],
  [408, 'The service gave up waiting for the request'],
  [409, 'The request conflicts with the state of the thing it is about'],
  [410, 'The thing that was asked for is gone'],
  [413, 'The request is too large for the service'],
  [415, 'The service does not accept this content type'],
  [422, 'The service understood the request but cannot carry it out. Check the values'],
  [429, 'The service gets too many requests'],
  [500, 'The service failed'],
  [502, 'A gateway before the service failed'],
  [503, 'The service is not available now'],
  [504, 'A gateway before the service waited too long for it'],
]);

/** One sentence about an unsuccessful status. */
export function statusMessage(status: number): string {
  const known = MESSAGES.get(status);
  if (known !== undefined) return `${known} (status ${status}).`;
  if (status >= 300 && status < 400)
    return `The service answered with a redirect that is not followed (status ${status}).`;
  return `The service answered with status ${status}.`;
}
