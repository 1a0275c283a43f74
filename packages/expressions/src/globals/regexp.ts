import { toText } from '../runtime/convert';
import { NativeConstructor } from '../runtime/values/function-value';
import { readPattern } from '../regex/pattern';
import { RegexValue } from '../regex/regex-value';

/** `RegExp`. */
export const regexpConstructor = new NativeConstructor('RegExp', 2, {
  construct: (run, [source, flags]) => {
    const isRegex = source instanceof RegexValue;
    const text = isRegex ? source.source : source === undefined ? '' : toText(run, source);
    const given = flags === undefined ? (isRegex ? source.flags : '') : toText(run, flags);
    run.work(100 + text.length);
    run.checkClockSoon();
    return new RegexValue(readPattern(text, given));
  },
  isInstance: (value) => value instanceof RegexValue,
});
