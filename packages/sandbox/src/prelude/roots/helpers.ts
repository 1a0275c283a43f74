import type { JsonObject } from '@weft/node-catalogue';
import type { CodeItem } from '../../code/code-data';
import type { CodeBuffer } from '../bytes/buffer';
import { loader } from '../libraries';

const bufferFrom = (value: unknown, encoding?: unknown): CodeBuffer =>
  loader()('bytes/buffer').bufferFrom(value, encoding);

/** `this.helpers`: functions that would need the network throw when called. */
export function createHelpers(items: readonly CodeItem[]): object {
  const assertBinaryData = (index: number, name: string): JsonObject => fileOf(items, index, name);
  const own = {
    prepareBinaryData,
    assertBinaryData,
    getBinaryDataBuffer: async (index: number, name: string): Promise<CodeBuffer> =>
      bufferFrom(String(assertBinaryData(index, name)['data'] ?? ''), 'base64'),
    returnJsonArray: (data: unknown): CodeItem[] =>
      [data].flat().map((json) => (isItem(json) ? json : { json: Object(json) })),
    normalizeItems: (data: unknown): unknown[] => [data].flat().map((item) => (isItem(item) ? item : { json: item })),
  };
  return new Proxy(own, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      if (method !== undefined || typeof name !== 'string' || name === 'then') return method;
      return () => {
        throw new Error(`helpers.${name} is not available in code, which has no network. Use an HTTP Request node.`);
      };
    },
  });
}

/** Creates a file for `binary` of an item from its bytes. */
async function prepareBinaryData(
  bytes: unknown,
  fileName?: string,
  mimeType = 'application/octet-stream',
): Promise<object> {
  const buffer = bufferFrom(bytes);
  const named = fileName === undefined ? {} : { fileName, fileExtension: /\.(\w+)$/.exec(fileName)?.[1] ?? '' };
  return { data: buffer.toString('base64'), mimeType, fileSize: buffer.length, ...named };
}

function fileOf(items: readonly CodeItem[], index: number, name: string): JsonObject {
  const file = items[index]?.binary?.[name];
  if (typeof file === 'object' && file !== null && !Array.isArray(file)) return file;
  throw new Error(
    `This operation expects the node's input data to contain a binary file '${name}', but none was found ` +
      `[item ${index}]`,
  );
}

function isItem(value: unknown): value is CodeItem {
  return typeof value === 'object' && value !== null && 'json' in value;
}
