import { isJsonObject, type Json, type JsonObject } from '@weft/service-kit/json-values';
import { LineCounter, parseDocument } from 'yaml';

/** Maximum size of an OpenAPI document as JSON, in bytes. */
export const MAX_JSON_BYTES = 32 * 1024 * 1024;
/** Maximum size as YAML, which takes far longer to read. */
const MAX_YAML_BYTES = 8 * 1024 * 1024;
const MAX_ALIASES = 1_000;
const MAX_MESSAGE = 200;

/** A document that cannot be drafted, or an operation that it does not have. */
export class DraftError extends Error {
  override readonly name = 'DraftError';
}

/** An OpenAPI 3 or Swagger 2 document. Nothing below `paths` has been checked. */
export interface OpenApi {
  readonly root: JsonObject;
  readonly paths: JsonObject;
  /** True for Swagger 2. */
  readonly isSwagger: boolean;
}

/**
 * Reads an OpenAPI document, JSON or YAML.
 * @param file name of the file, for messages
 * @throws DraftError with the place and the reason
 */
export function readOpenApi(file: string, content: string): OpenApi {
  const text = content.startsWith('\uFEFF') ? content.slice(1) : content;
  const isJson = /^\s*\{/.test(text.slice(0, 1_000));
  const limit = isJson ? MAX_JSON_BYTES : MAX_YAML_BYTES;
  if (Buffer.byteLength(text) > limit)
    throw new DraftError(
      `${file}: a document in ${isJson ? 'JSON' : 'YAML'} may have ${limit / 1024 / 1024} MB at most.` +
        (isJson ? '' : ' Convert it to JSON, which may be larger.'),
    );
  const root = isJson ? readJson(file, text) : readYaml(file, text);
  const { openapi, swagger, paths } = root;
  const given = openapi ?? swagger;
  const version = typeof given === 'string' || typeof given === 'number' ? String(given) : '';
  if (!(openapi === undefined ? /^2(\.|$)/ : /^3\./).test(version))
    throw new DraftError(
      version === ''
        ? `${file} is not an OpenAPI document: it has no field \`openapi\` or \`swagger\`.`
        : `${file}: version ${version.slice(0, 20)} is not supported. Use OpenAPI 3 or Swagger 2.`,
    );
  if (!isJsonObject(paths)) throw new DraftError(`${file}: the field \`paths\` with the operations is missing.`);
  return { root, paths, isSwagger: openapi === undefined };
}

function readJson(file: string, text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return value;
  } catch (error) {
    throw new DraftError(`${file} is not valid JSON: ${messageOf(error)}`);
  }
  throw new DraftError(`${file} is not a JSON object.`);
}

function readYaml(file: string, text: string): JsonObject {
  const lines = new LineCounter();
  try {
    const document = parseDocument(text, { lineCounter: lines, schema: 'core', merge: true });
    const [error] = document.errors;
    if (error !== undefined) {
      const [message = ''] = error.message.split('\n');
      throw new DraftError(`${file}:${lines.linePos(error.pos[0]).line}: ${message.slice(0, MAX_MESSAGE)}`);
    }
    const value: Json = document.toJS({ maxAliasCount: MAX_ALIASES });
    if (isJsonObject(value)) return value;
  } catch (error) {
    if (error instanceof DraftError) throw error;
    throw new DraftError(`${file} is not valid YAML: ${messageOf(error)}`);
  }
  throw new DraftError(`${file} is not a YAML mapping, such as \`openapi: 3.0.3\`.`);
}

const messageOf = (error: unknown): string =>
  error instanceof RangeError
    ? 'it is nested too deeply.'
    : (error instanceof Error ? error.message : String(error)).slice(0, MAX_MESSAGE);
