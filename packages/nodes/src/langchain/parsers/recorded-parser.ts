import type { OutputParser, SupplyContext } from '@weft/engine';
import type { Json } from '@weft/node-catalogue';
import { failureOfMisfit } from './misfit';

/** Characters of an answer at the head and at the tail of a longer one that a record shows. */
const [HEAD, TAIL] = [49_152, 16_384];

/** A parser before its calls are recorded. */
export interface PlainParser extends Pick<OutputParser, 'schema' | 'instructions'> {
  /** @throws Misfit or NodeFailure if the text has another form */
  read(text: string): Json | Promise<Json>;
}

/** A parser whose calls are runs of its node: the text, and the result. Pins of the node replace its results. */
export function recordedParser(context: SupplyContext, { schema, instructions, read }: PlainParser): OutputParser {
  const pin = context.pins?.[0]?.json;
  const resultOf = async (text: string): Promise<Json> => {
    if (pin !== undefined) return pin['response'] ?? pin;
    try {
      return await read(text);
    } catch (thrown) {
      throw failureOfMisfit(thrown, text, context.itemIndex);
    }
  };
  return {
    schema,
    instructions,
    parse: (text) =>
      context.record({ action: 'parse', text: shown(text) }, async () => {
        const result = await resultOf(text);
        return { result, output: { action: 'parse', response: result } };
      }),
  };
}

/** A text as records show it: long ones by head, tail and length. */
function shown(text: string): string {
  if (text.length <= HEAD + TAIL) return text;
  return `${text.slice(0, HEAD)}\n… (${text.length} characters) …\n${text.slice(-TAIL)}`;
}
