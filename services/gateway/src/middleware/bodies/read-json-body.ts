import { InvalidRequest } from '@weft/service-kit/errors';
import { parseJson, parseLongJson, turnsOf, type TurnsOf, withoutBom, type Json } from '@weft/service-kit/json';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { inBody, renamingFields } from '../../http/rename-fields';
import { hasBody } from '../responses/drain';
import { checkBodyHeaders, type ReadBody } from './read-body';

/** How an endpoint uses a body. With `none` a sent body is not read. */
export type BodyUse = 'none' | 'optional' | 'required';

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?;?$/i;

const bodyError = (message: string): InvalidRequest => new InvalidRequest(message);

/** A JSON body within its limits. */
export interface JsonBody {
  readonly value: Json;
  /** The raw text without a byte order mark, for data that is only passed on. */
  readonly bytes: Buffer;
}

export interface JsonBodyOptions {
  readonly readBody: ReadBody;
  /** Owner whose share of the thread the parsing of a long body uses. Absent: parsed in one go. */
  readonly owner?: TurnsOf;
  /** Maximum size in bytes. Default: 10 MB. */
  readonly maxBytes?: number;
}

/**
 * Reads a JSON body.
 * @returns undefined if there is none and none is required
 * @throws InvalidRequest; PayloadTooLarge; RequestAborted; Unavailable
 */
export const readJsonBody = async (
  request: IncomingMessage,
  response: ServerResponse,
  use: BodyUse,
  { readBody, owner, maxBytes }: JsonBodyOptions,
): Promise<JsonBody | undefined> => {
  checkBodyHeaders(request, maxBytes);
  if (use === 'none') return undefined;
  if (!hasBody(request)) {
    if (use === 'optional') return undefined;
    throw bodyError('A JSON body is required.');
  }
  if (!JSON_TYPE.test(request.headers['content-type'] ?? ''))
    throw bodyError('Send the body as JSON in UTF-8, with the header Content-Type: application/json.');
  const parse = async (body: Buffer): Promise<JsonBody | undefined> => {
    const bytes = withoutBom(body);
    if (bytes.length === 0 && use === 'optional') return undefined;
    const value = await renamingFields(inBody, () =>
      owner === undefined ? parseJson(bytes) : parseLongJson(bytes, turnsOf(owner)),
    );
    return { value, bytes };
  };
  return readBody(request, response, parse, maxBytes);
};
