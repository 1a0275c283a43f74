import { toText } from '../runtime/convert';
import { nativeFunctions } from '../runtime/function-value';
import { jsonStyle, stringifyJson } from '../runtime/json';
import { parseJson } from '../runtime/parse-json';
import { Namespace } from '../runtime/virtual-object';

/** `JSON`. */
export const jsonNamespace = new Namespace(
  nativeFunctions({
    parse: (run, [text, reviver]) => parseJson(run, toText(run, text), reviver),
    stringify: (run, [value, replacer, space]) => stringifyJson(run, value, jsonStyle(run, replacer, space)),
  }),
);
