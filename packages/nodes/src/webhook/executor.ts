import { plainValue, textField, type Json, type JsonObject } from '@weft/node-catalogue';
import {
  type ExecutionMode,
  type Item,
  type NodeExecutor,
  NodeFailure,
  type NodeShape,
  output,
  outputs,
  withFacts,
} from '@weft/engine';
import { extension } from 'mime-types';
import type { FormatContext } from '../shared/file-formats/run-format-task';
import { runTexts } from '../shared/file-formats/run-texts';
import type { TextJob } from '../shared/file-formats/tasks';
import { xmlToJson } from '../xml/read-options';
import { DEFAULT_WEBHOOK_METHODS } from './descriptor';
import { CONDITION_NOT_MET, meetsCondition } from './only-run-if';

/**
 * Outputs the request that started the run as one item `{ headers, params, query, body, webhookUrl, executionMode }`,
 * with an XML body as an object. A node with several methods has an output for each. A run that was started in another
 * way has the data of its start instead.
 */
export const webhook: NodeExecutor = {
  kind: 'webhook',
  actsOutside: false,
  outputCount: (shape) => methodsOf(shape)?.length ?? 1,
  run: async (context) => {
    if (context.mode !== 'webhook') return output(context.items);
    if (!meetsCondition(context)) {
      await context.ports.respond(CONDITION_NOT_MET);
      return output([]);
    }
    const requests = await Promise.all(context.items.map((item) => completeRequest(context, item, context.mode)));
    const methods = methodsOf(context);
    if (methods === undefined) return output(requests);
    const used = Math.max(0, methods.indexOf(textField(context.items[0]?.json, 'method') ?? ''));
    return outputs(...methods.map((_, index) => (index === used ? requests : [])));
  },
};

/** The methods of a node with an output for each, in the order of its outputs. */
function methodsOf(shape: Pick<NodeShape, 'rawParameter'>): readonly string[] | undefined {
  const given = plainValue(shape.rawParameter('httpMethod'));
  if (given === undefined && shape.rawParameter('multipleMethods') === true) return DEFAULT_WEBHOOK_METHODS;
  return Array.isArray(given) && given.length > 0 ? given.map((method) => String(method).toUpperCase()) : undefined;
}

async function completeRequest(context: FormatContext & NodeShape, item: Item, mode: ExecutionMode): Promise<Item> {
  const initial: JsonObject = {
    headers: {},
    params: {},
    query: {},
    body: {},
    webhookUrl: '',
    executionMode: mode === 'manual' ? 'test' : 'production',
  };
  const { method: _method, ...request } = item.json;
  const hasRawBody = context.rawParameter('options.rawBody') === true;
  return {
    ...item,
    json: { ...initial, ...request, ...(await readBody(context, item.json)), ...emptyBody(context, item, hasRawBody) },
    ...(item.binary === undefined || hasRawBody ? {} : { binary: withExtensions(item.binary) }),
  };
}

/** From version 1.1 on, falsy JSON counts as no body. */
function emptyBody({ version }: NodeShape, { json: { body } }: Item, hasRawBody: boolean): { body?: Json } {
  return version > 1 && !hasRawBody && body !== undefined && !body ? { body: {} } : {};
}

/** Adds the extension of its type to files without one. */
function withExtensions(files: NonNullable<Item['binary']>): NonNullable<Item['binary']> {
  return Object.fromEntries(
    Object.entries(files).map(([name, file]) => {
      const ofType = file.fileExtension === undefined ? extension(file.mimeType) : false;
      return [name, ofType === false ? file : withFacts(file, { fileExtension: ofType })];
    }),
  );
}

/** Options for XML in bodies: names in lower case, attributes under `$`. */
const XML_OPTIONS: ReadonlyMap<string, boolean> = new Map([
  ['options.normalize', true],
  ['options.normalizeTags', true],
  ['options.mergeAttrs', false],
]);

async function readBody(context: FormatContext, { headers, body }: JsonObject): Promise<{ body?: Json }> {
  const type = (textField(headers, 'content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (typeof body !== 'string' || !/^(?:text\/xml|application\/xml|[\w/.-]+\+xml)$/.test(type)) return {};
  // An invalid body stays a string: the workflow may handle it.
  const job = readingOf(body);
  if (job === undefined) return {};
  const [outcome] = await runTexts(context, [job], true);
  return outcome !== undefined && 'value' in outcome ? { body: outcome.value } : {};
}

function readingOf(body: string): TextJob | undefined {
  try {
    const source = { parameter: (path: string) => XML_OPTIONS.get(path), defaultOf: () => undefined };
    return xmlToJson(source, { json: { data: body } }, 0);
  } catch (error) {
    if (error instanceof NodeFailure) return undefined;
    throw error;
  }
}
