import { PARSE_ERROR, type PostResponse, refusal } from '@weft/mcp';
import { ServiceError } from '@weft/service-kit/errors';
import type { Json, TurnsOf } from '@weft/service-kit/json';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ReadBody } from '../middleware/bodies/read-body';
import { readJsonBody } from '../middleware/bodies/read-json-body';

/** The message of a request, or the response if it is not JSON. */
export type ReadMessage = { readonly body: Json } | { readonly refused: PostResponse };

/**
 * Reads the message of a request.
 * @param owner whose share of the thread the parsing uses
 * @throws PayloadTooLarge, RequestAborted, Unavailable
 */
export const readRpcBody = async (
  request: IncomingMessage,
  response: ServerResponse,
  owner: TurnsOf,
  readBody: ReadBody,
  maxBytes: number,
): Promise<ReadMessage> => {
  try {
    const read = await readJsonBody(request, response, 'required', { readBody, owner, maxBytes });
    return read === undefined
      ? { refused: refusal(PARSE_ERROR, 'A JSON body is required.', 400) }
      : { body: read.value };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.reason !== 'INVALID_REQUEST') throw error;
    return { refused: refusal(PARSE_ERROR, error.message, 400) };
  }
};
