import { type Json, type JsonObject, objectField } from '@weft/service-kit/json-values';
import { listPathOf, messagePathOf } from './field-schema';
import type { ApiOperation } from './find-operations';
import type { References } from './references';
import { type ApiRequest, namedLists, repeatsLists } from './request-fields';

const MAX_NAMES = 20;
/** Names of values that select a page. */
const PAGES = new Set([
  ...['page', 'pagetoken', 'pagenumber', 'cursor', 'startcursor', 'nextcursor', 'offset', 'skip', 'after', 'before'],
  ...['startingafter', 'endingbefore', 'nexttoken', 'continuation', 'pagesize', 'perpage', 'limit', 'count', 'first'],
]);

/** Lines of a comment about the parts of an operation that are left to write. */
export function hintsOf(references: References, { content }: ApiOperation, request: ApiRequest): readonly string[] {
  const response = responseOf(references, content, /^2|^default$/);
  const list = response === undefined ? undefined : listPathOf(references, response.schema);
  const pages = request.fields.filter(
    ({ wire, place }) => place !== 'path' && PAGES.has(wire.toLowerCase().replaceAll(/[^a-z]/g, '')),
  );
  const simplified = request.fields.filter(({ schema }) => schema.isSimplified).map(({ wire }) => wire);
  const lists = namedLists(request).filter((one) => one.separator === undefined && !one.isRepeated);
  const form = repeatsLists(request) ? 'several values of one NAME' : 'NAME[0], NAME[1]';
  return [
    ...(list === undefined
      ? []
      : [`items: the response has a list; for one item per entry: list: ${list || '"={{ $response.body }}"'}`]),
    ...(response !== undefined && !response.isJson
      ? [`items: the response is ${response.type}; to store it as a file of the item: file: {}`]
      : []),
    ...(pages.length > 0 ? [`pages: see ${names(pages.map(({ wire }) => wire))}`] : []),
    ...(simplified.length > 0 ? [`values: the service takes other forms of ${names(simplified)} as well`] : []),
    ...(lists.length > 0 ? [`values: lists are sent as ${form}: ${names(lists.map(({ wire }) => wire))}`] : []),
    ...(request.leftOut.length > 0 ? [`values: left out: ${names(request.leftOut)}`] : []),
  ];
}

const names = (all: readonly string[]): string =>
  `${all.slice(0, MAX_NAMES).join(', ')}${all.length > MAX_NAMES ? ` and ${all.length - MAX_NAMES} more` : ''}`;

interface ApiResponse {
  readonly schema: Json | undefined;
  readonly type: string;
  readonly isJson: boolean;
}

function responseOf(references: References, content: JsonObject, status: RegExp): ApiResponse | undefined {
  const responses = Object.entries(objectField(content, 'responses') ?? {});
  for (const [code, value] of responses) {
    if (!status.test(code)) continue;
    const response = references.resolve(value);
    // Swagger 2 has the schema in the response.
    const own = response?.['schema'];
    if (own !== undefined) return { schema: own, type: 'application/json', isJson: true };
    const media = Object.entries(objectField(response, 'content') ?? {});
    const [type, chosen] = media.find(([name]) => /json/.test(name)) ?? media[0] ?? [];
    if (type === undefined) continue;
    return { schema: objectField(chosen, 'schema'), type, isJson: /json|^\*/.test(type) };
  }
  return undefined;
}

/** Path of the message in responses that report an error; undefined if no operation shows one. */
export function errorPathOf(references: References, operations: readonly ApiOperation[]): string | undefined {
  for (const { content } of operations) {
    const response = responseOf(references, content, /^[45]|^default$/);
    const path = response === undefined ? undefined : messagePathOf(references, response.schema);
    if (path !== undefined) return path;
  }
  return undefined;
}
