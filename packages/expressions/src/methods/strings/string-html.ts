import type { Arguments } from '../../runtime/values/function-value';
import { toText } from '../../runtime/convert';
import type { Run } from '../../runtime/run';
import { methodTable, type MethodBody } from '../method';
import { isString } from '../type-tests';

const wrapping =
  (tag: string, attribute?: string): MethodBody<string> =>
  (run: Run, self: string, [given]: Arguments) => {
    const value = attribute === undefined ? '' : toText(run, given);
    run.allowText(self.length + value.length * 6 + 2 * tag.length + 20);
    const head = attribute === undefined ? tag : `${tag} ${attribute}="${value.replaceAll('"', '&quot;')}"`;
    return `<${head}>${self}</${tag}>`;
  };

/** Methods of JavaScript strings that put the string into an HTML element. */
export const stringHtmlMethods = methodTable('String', isString, {
  anchor: wrapping('a', 'name'),
  big: wrapping('big'),
  blink: wrapping('blink'),
  bold: wrapping('b'),
  fixed: wrapping('tt'),
  fontcolor: wrapping('font', 'color'),
  fontsize: wrapping('font', 'size'),
  italics: wrapping('i'),
  link: wrapping('a', 'href'),
  small: wrapping('small'),
  strike: wrapping('strike'),
  sub: wrapping('sub'),
  sup: wrapping('sup'),
});
