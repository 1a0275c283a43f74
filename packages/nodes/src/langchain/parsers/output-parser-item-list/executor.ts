import { type NodeExecutor, NodeFailure, type OutputParser, type SupplyContext } from '@weft/engine';
import { numberParameter, textParameter } from '../../../shared/read-parameter';
import { ANSWER_LIMITS } from '../answer-json';
import { Misfit } from '../misfit';
import { recordedParser } from '../recorded-parser';
import { subNodeOnly } from '../sub-node-only';

/** Maximum number of entries of a list. */
const MAX_ENTRIES = 10_000;

/** Provides a parser that splits an answer into strings. */
export const outputParserItemList: NodeExecutor = {
  kind: 'langchain.outputParserItemList',
  actsOutside: false,
  run: subNodeOnly,
  supplies: { ai_outputParser: supply },
};

function supply(context: SupplyContext): OutputParser {
  const { itemIndex } = context;
  const given = Math.floor(numberParameter(context, 'options.numberOfItems', itemIndex));
  const count = given > 0 ? Math.min(given, MAX_ENTRIES) : undefined;
  const separator = textParameter(context, 'options.separator', itemIndex, '\\n').replace(/^\\n$/, '\n');
  if (separator === '')
    throw new NodeFailure('The field "Separator" is empty', { itemIndex, description: 'Enter a string, such as \\n.' });
  return recordedParser(context, {
    schema: undefined,
    instructions: instructionsFor(count, separator),
    read: (text) => entriesOf(text, separator, count),
  });
}

/** @throws Misfit for fewer entries than wanted, and beyond the limits */
function entriesOf(text: string, separator: string, count: number | undefined): string[] {
  if (text.length > ANSWER_LIMITS.characters)
    throw new Misfit(`It has ${text.length} characters; at most ${ANSWER_LIMITS.characters} are read.`);
  const entries = text
    .split(separator)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  if (entries.length > MAX_ENTRIES && count === undefined)
    throw new Misfit(`It has ${entries.length} entries; at most ${MAX_ENTRIES} are read.`);
  if (count !== undefined && entries.length < count)
    throw new Misfit(`It has ${entries.length} entries, but ${count} are wanted.`);
  return entries.slice(0, count);
}

function instructionsFor(count: number | undefined, separator: string): string {
  const shown = JSON.stringify(separator);
  const example = JSON.stringify(['first', 'second', 'third'].slice(0, count ?? 3).join(separator));
  const wanted = count === undefined ? 'a list' : `a list of exactly ${count} ${count === 1 ? 'entry' : 'entries'}`;
  return [
    `Answer with ${wanted} and nothing else.`,
    `Separate the entries by ${shown}, without numbers or bullets. Example: ${example}`,
  ].join(' ');
}
