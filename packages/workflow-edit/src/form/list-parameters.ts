import { isJsonObject, type Json, type JsonObject } from '@weft/node-catalogue/definitions';
import type { Path } from '../json/tree';

/** The API takes 64 KiB of parameters; a character has at most three bytes. */
const MAX_CHARACTERS = 20_000;
/** Longer values do not name a resource. */
const MAX_VALUE = 2_000;

/**
 * The parameters of a node on which the list of one of them may depend: without its value, so that a choice does not
 * change the request, and without long values, such as the body of a mail. An empty object if there are too many.
 * @param path of the parameter with the list
 */
export function parametersForList(parameters: JsonObject, path: Path): JsonObject {
  const short = Object.fromEntries(
    Object.entries(withoutOwn(parameters, path)).filter(([, value]) => lengthOf(value) <= MAX_VALUE),
  );
  return lengthOf(short) <= MAX_CHARACTERS ? short : {};
}

/** The value of a list may depend on the mode of its locator. */
function withoutOwn(parameters: JsonObject, path: Path): JsonObject {
  const [name] = path;
  if (path.length !== 1 || typeof name !== 'string' || !Object.hasOwn(parameters, name)) return parameters;
  const { [name]: own, ...others } = parameters;
  const mode = isJsonObject(own) ? own['mode'] : undefined;
  return mode === undefined ? others : { ...others, [name]: { __rl: true, mode, value: '' } };
}

function lengthOf(value: Json): number {
  return JSON.stringify(value).length;
}
