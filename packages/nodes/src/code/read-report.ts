import type { JsonObject } from '@weft/node-catalogue';
import { isJsonObject } from '@weft/node-catalogue';
import { parseJson } from '@weft/service-kit/json';
import { NodeFailure } from '@weft/engine';
import type { CodeError, CodeReport, CodeValue } from '@weft/sandbox';

/** Limits of the result of code. Later steps could not copy anything nested deeper. */
const LIMITS = { maxBytes: 16 * 1024 * 1024, maxDepth: 100, maxValues: 2_000_000, refuseProto: true };

/**
 * Reads a report from the sandbox. Code can forge all of it, so nothing is trusted.
 * @throws NodeFailure if it is too large, nested too deeply, or not written by our prelude
 */
export function readReport(bytes: Uint8Array): CodeReport {
  const report = parse(bytes);
  if (!isJsonObject(report)) throw unreadable('it is not an object');
  const { value, values, error, itemIndex, staticData, customData } = report;
  if (value === undefined && values === undefined && error === undefined) throw unreadable('it is empty');
  return {
    ...(value === undefined ? {} : { value: codeValue(value) }),
    ...(Array.isArray(values)
      ? {
          values: values.map((one) =>
            isJsonObject(one) && one['error'] !== undefined ? { error: codeError(one['error']) } : codeValue(one),
          ),
        }
      : {}),
    ...(error === undefined ? {} : { error: codeError(error) }),
    ...(typeof itemIndex === 'number' ? { itemIndex } : {}),
    ...(isJsonObject(staticData)
      ? { staticData: { global: objectOf(staticData['global']), node: objectOf(staticData['node']) } }
      : {}),
    ...(isJsonObject(customData)
      ? { customData: Object.fromEntries(Object.entries(customData).map(([name, mark]) => [name, String(mark)])) }
      : {}),
  };
}

function parse(bytes: Uint8Array): unknown {
  try {
    return parseJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), LIMITS);
  } catch (error) {
    throw new NodeFailure('The code returns data that cannot be stored', {
      cause: error,
      description:
        `Allowed are ${LIMITS.maxBytes} bytes as JSON, ${LIMITS.maxDepth} levels of nesting, ` +
        `${LIMITS.maxValues} values and no field called __proto__.`,
    });
  }
}

function codeValue(value: unknown): CodeValue {
  if (!isJsonObject(value)) throw unreadable('one of its values is not an object');
  return {
    type: String(value['type']),
    ...(value['value'] === undefined ? {} : { value: value['value'] }),
    ...(value['binary'] === undefined ? {} : { binary: value['binary'] }),
  };
}

function codeError(error: unknown): CodeError {
  const { name, message, description, line }: JsonObject = isJsonObject(error) ? error : {};
  return {
    name: typeof name === 'string' ? name : 'Error',
    message: typeof message === 'string' ? message : 'Unknown error',
    ...(typeof description === 'string' ? { description } : {}),
    ...(typeof line === 'number' && Number.isInteger(line) && line > 0 ? { line } : {}),
  };
}

function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

function unreadable(reason: string): NodeFailure {
  return new NodeFailure(`The sandbox sent a report that cannot be read: ${reason}`);
}
