import { TimedOut, Unavailable } from '@weft/service-kit/errors';
import { testLogger } from '@weft/service-kit/testing';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { writeError } from './error-response';

describe('the response to a failed request', () => {
  const logger = testLogger();
  const responseOf = (): ServerResponse => new ServerResponse(new IncomingMessage(new Socket()));

  it('is written once, and a later failure of the same request does not cut it', () => {
    const response = responseOf();
    writeError(response, new TimedOut(), logger);
    writeError(response, new Unavailable('The store is away.'), logger);
    expect([response.statusCode, response.writableEnded, response.destroyed]).toEqual([503, true, false]);
  });

  it('is cut off if another response has begun, so that no caller mistakes half of it for the whole', () => {
    const response = responseOf();
    response.writeHead(200);
    writeError(response, new Unavailable('The store is away.'), logger);
    expect([response.writableEnded, response.destroyed]).toEqual([false, true]);
  });
});
