import type { JsonObject } from '@weft/node-catalogue';
import { type NodeContext, type NodeExecutor, NodeFailure, output } from '@weft/engine';
import { eachItem, type MadeItem } from '../shared/each-item';
import { booleanParameter, choiceParameter, numberParameter, textParameter } from '../shared/read-parameter';
import { drawFrom, type Draw, ENTRIES, textFrom } from './random-data';

const CATEGORIES = ['doNothing', 'throwError', 'randomData'] as const;
const ERRORS = ['NodeApiError', 'NodeOperationError', 'Error'] as const;
const TYPES = [...Object.keys(ENTRIES), 'nanoid'];
/** Maximum number of entries for all items together, and of characters of an id. */
const [MAX_ENTRIES, MAX_LENGTH] = [100_000, 256];

/** Fails on purpose or generates random data for each item; outputs no item if it does nothing. */
export const debugHelper: NodeExecutor = {
  kind: 'debugHelper',
  actsOutside: false,
  run: async (context) => output(await eachItem(context, () => made(context))),
};

/** All parameters are read for the first item, as in n8n. */
function made(context: NodeContext): readonly MadeItem[] {
  switch (choiceParameter(context, 'category', 0, CATEGORIES)) {
    case 'doNothing':
      return [];
    case 'throwError':
      throw new NodeFailure(textParameter(context, 'throwErrorMessage', 0), {
        name: choiceParameter(context, 'throwErrorType', 0, ERRORS),
      });
    case 'randomData': {
      const entries = randomEntries(context);
      return booleanParameter(context, 'randomDataSingleArray', 0)
        ? [{ json: { generatedItems: entries } }]
        : entries.map((json) => ({ json }));
    }
  }
}

function randomEntries(context: NodeContext): JsonObject[] {
  const most = Math.floor(MAX_ENTRIES / Math.max(1, context.items.length));
  const count = whole('randomDataCount', most, numberParameter(context, 'randomDataCount', 0));
  const draw = drawFrom(textParameter(context, 'randomDataSeed', 0));
  const make = entryOf(context);
  return Array.from({ length: count }, () => make(draw));
}

function entryOf(context: NodeContext): (draw: Draw) => JsonObject {
  const type = choiceParameter(context, 'randomDataType', 0, TYPES);
  const known = Object.entries(ENTRIES).find(([name]) => name === type);
  if (known !== undefined) return known[1];
  const alphabet = [...textParameter(context, 'nanoidAlphabet', 0)];
  if (alphabet.length === 0) throw new NodeFailure('The parameter "nanoidAlphabet" must not be empty');
  const length = whole('nanoidLength', MAX_LENGTH, Number(textParameter(context, 'nanoidLength', 0)));
  return (draw) => ({ nanoId: textFrom(draw, alphabet, length) });
}

/** @throws NodeFailure unless the value is a whole number from 0 to the maximum */
function whole(name: string, most: number, value: number): number {
  if (Number.isInteger(value) && value >= 0 && value <= most) return value;
  throw new NodeFailure(`The parameter "${name}" must be a whole number from 0 to ${most}, but it is ${value}`);
}
