import { toText } from '../runtime/convert';
import { nativeFunctions } from '../runtime/values/function-value';
import type { Arguments } from '../runtime/values/function-value';
import type { Run } from '../runtime/run';
import { ErrorValue, Thrown } from '../runtime/thrown';

/**
 * A function of text that may be malformed. Its result is at most `growth` times as long; it takes `cost` nanoseconds
 * for each character.
 */
const converting =
  (growth: number, cost: number, convert: (text: string) => string) =>
  (run: Run, [value]: Arguments): string => {
    const text = toText(run, value);
    run.read(text.length, cost);
    run.allowText(text.length, text.length * growth);
    let result: string;
    try {
      result = convert(text);
    } catch {
      throw new Thrown(new ErrorValue('URIError', 'URI malformed'));
    }
    run.allowText(result.length, 0);
    return result;
  };

/** The functions on text that are globals. */
export const textFunctions = nativeFunctions({
  atob: converting(1, 30, atob),
  btoa: converting(2, 30, btoa),
  decodeURI: converting(1, 30, decodeURI),
  decodeURIComponent: converting(1, 30, decodeURIComponent),
  encodeURI: converting(9, 30, encodeURI),
  encodeURIComponent: converting(9, 30, encodeURIComponent),
});
