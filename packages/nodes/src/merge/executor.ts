import { plainValue } from '@weft/node-catalogue';
import { type Item, type NodeContext, type NodeExecutor, NodeFailure, type NodeShape, output } from '@weft/engine';
import {
  booleanParameter,
  choiceParameter,
  nameOf,
  namesParameter,
  numberParameter,
  objectsParameter,
  textParameter,
} from '../shared/read-parameter';
import { type FieldPair, requireFields } from '../shared/values/find-matches';
import { readClashHandling } from './clash';
import { combineAll } from './combine-all';
import { combineByFields, DATA_FROM, JOIN_MODES } from './combine-by-fields';
import { combineByPosition } from './combine-by-position';
import { combineBySql } from './combine-by-sql';
import { mergeFirstVersion } from './merge-first-version';
import { pairedInput, pairedInputs, pairedWith } from './paired-inputs';

/** Maximum number of inputs of a Merge node. */
const MAX_INPUTS = 10;

/** Combines several inputs into one list. */
export const merge: NodeExecutor = {
  kind: 'merge',
  actsOutside: false,
  requiredInputs,
  run: (context) => {
    if (context.version < 2) return output(mergeFirstVersion(context));
    const mode = choiceParameter(context, 'mode', 0, ['append', 'combine', 'combineBySql', 'chooseBranch']);
    if (mode === 'combineBySql') return combineBySql(context, numberOfInputs(context)).then(output);
    return output(mergeItems(context, mode));
  },
};

/** A branch can only be chosen once both inputs have arrived; all other modes can run with one. */
function requiredInputs(shape: NodeShape): readonly number[] | number {
  return shape.version >= 2 && plainValue(shape.rawParameter('mode')) === 'chooseBranch' ? [0, 1] : 1;
}

function mergeItems(context: NodeContext, mode: 'append' | 'combine' | 'chooseBranch'): Item[] {
  switch (mode) {
    case 'append':
      return pairedInputs(context, numberOfInputs(context)).flat();
    case 'combine':
      return combine(context);
    case 'chooseBranch':
      return chooseBranch(context);
  }
}

function numberOfInputs(context: NodeContext): number {
  return context.version < 3
    ? 2
    : Math.min(MAX_INPUTS, Math.max(2, Math.floor(numberParameter(context, 'numberInputs', 0, 2))));
}

function combine(context: NodeContext): Item[] {
  const clash = readClashHandling(context);
  const by =
    context.version < 3
      ? choiceParameter(
          context,
          'combinationMode',
          0,
          ['mergeByFields', 'mergeByPosition', 'multiplex'],
          'mergeByFields',
        )
      : choiceParameter(
          context,
          'combineBy',
          0,
          ['combineByFields', 'combineByPosition', 'combineAll'],
          'combineByFields',
        );
  switch (by) {
    case 'mergeByFields':
    case 'combineByFields':
      return byFields(context);
    case 'mergeByPosition':
    case 'combineByPosition': {
      const inputs = pairedInputs(context, numberOfInputs(context));
      // Before version 3, an input that never arrived let the other one through.
      if (context.version < 3 && inputs.some((items) => items.length === 0)) return inputs.flat();
      const includesUnpaired = booleanParameter(context, 'options.includeUnpaired', 0);
      return combineByPosition(inputs, includesUnpaired, clash, context.version >= 3);
    }
    case 'multiplex':
    case 'combineAll':
      return combineAll(pairedInput(context, 0), pairedInput(context, 1), clash);
  }
}

function byFields(context: NodeContext): Item[] {
  const input1 = pairedInput(context, 0);
  const input2 = pairedInput(context, 1);
  const fields = fieldPairs(context);
  const match = {
    loose: booleanParameter(context, 'options.fuzzyCompare', 0),
    dotNotation: !booleanParameter(context, 'options.disableDotNotation', 0),
    firstOnly: textParameter(context, 'options.multipleMatches', 0, 'all') === 'first',
  };
  if (context.version < 2.1) {
    requireFields(
      input1,
      fields.map(({ field1 }) => field1),
      match,
      'Input 1',
    );
    requireFields(
      input2,
      fields.map(({ field2 }) => field2),
      match,
      'Input 2',
    );
  }
  return combineByFields(input1, input2, {
    fields,
    match,
    joinMode: choiceParameter(context, 'joinMode', 0, JOIN_MODES, 'keepMatches'),
    dataFrom: choiceParameter(context, 'outputDataFrom', 0, DATA_FROM, 'both'),
    clash: readClashHandling(context),
  });
}

function fieldPairs(context: NodeContext): FieldPair[] {
  if (context.version >= 3 && !booleanParameter(context, 'advanced', 0)) {
    return namesParameter(context, 'fieldsToMatchString', 0).map((name) => ({ field1: name, field2: name }));
  }
  return objectsParameter(context, 'mergeByFields.values', 0).map(({ field1, field2 }) => {
    const pair = { field1: nameOf(field1).trim(), field2: nameOf(field2).trim() };
    if (pair.field1 !== '' && pair.field2 !== '') return pair;
    throw new NodeFailure('You need to define both fields of a pair to match on');
  });
}

function chooseBranch(context: NodeContext): Item[] {
  const count = numberOfInputs(context);
  const initial = context.version < 3 ? 'input1' : 'specifiedInput';
  switch (choiceParameter(context, 'output', 0, ['input1', 'input2', 'specifiedInput', 'empty'], initial)) {
    case 'input1':
      return pairedInput(context, 0);
    case 'input2':
      return pairedInput(context, 1);
    case 'specifiedInput': {
      const chosen = numberParameter(context, 'useDataOfInput', 0, 1);
      if (Number.isInteger(chosen) && chosen >= 1 && chosen <= count) return pairedInput(context, chosen - 1);
      throw new NodeFailure(`Input ${chosen} does not exist: choose one from 1 to ${count}`);
    }
    case 'empty':
      return [{ json: {}, pairedItem: pairedWith(pairedInputs(context, count).flat()) }];
  }
}
