import { InvalidRequest } from '@weft/service-kit/errors';
import { isJsonObject, type JsonObject, parseJson } from '@weft/service-kit/json';

const MAX_BYTES = 64 * 1024;

/**
 * Reads a field with a JSON object. The parser's message may quote it, so it is not passed on.
 * @throws InvalidRequest
 */
export const readJsonObject = (field: string, text: string): JsonObject => {
  const bytes = Buffer.from(text);
  try {
    const data = bytes.length > MAX_BYTES ? undefined : parseJson(bytes);
    if (isJsonObject(data)) return data;
  } catch {
    // refused below
  }
  throw new InvalidRequest('The request is invalid.', [
    { field, message: `must be a JSON object of at most ${MAX_BYTES} bytes.` },
  ]);
};
