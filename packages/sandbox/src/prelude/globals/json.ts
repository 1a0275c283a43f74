import { define } from '../define';
import { askHost } from '../host';

/** Makes `JSON.parse` say what is wrong with a string in the words that JavaScript's users know. */
export function installJson(): void {
  const { parse } = JSON;
  define(JSON, 'parse', (text: unknown, reviver?: (key: string, value: unknown) => unknown): unknown => {
    const source = String(text);
    let value: unknown;
    try {
      value = parse(source);
    } catch (error) {
      const message = askHost('jsonError', source);
      throw typeof message === 'string' ? new SyntaxError(message) : error;
    }
    return typeof reviver === 'function' ? parse(source, reviver) : value;
  });
}
