import { type Item, type NodeContext, type NodeExecutor, NodeFailure, outputs } from '@weft/engine';
import { fieldNames, listAccess } from '../shared/lists/field-names';
import { pairedInput } from '../merge/paired-inputs';
import { booleanParameter, choiceParameter, nameOf, objectsParameter, textParameter } from '../shared/read-parameter';
import { type FieldPair, type MatchOptions, findMatches, requireFields } from '../shared/values/find-matches';
import type { Comparison, Resolution } from './compare-items';
import { areSame, difference } from './compare-items';

/** Compares two inputs: items in A only, the same, different, in B only. */
export const compareDatasets: NodeExecutor = {
  kind: 'compareDatasets',
  actsOutside: false,
  requiredInputs: () => 1,
  run: (context) => {
    const comparison = readComparison(context);
    const { fields, loose, nullIsZero } = comparison;
    const match: MatchOptions = {
      loose,
      nullIsZero,
      dotNotation: !booleanParameter(context, 'options.disableDotNotation', 0),
      firstOnly: textParameter(context, 'options.multipleMatches', 0, 'first') !== 'all',
    };
    const [one, other] = [withFields(pairedInput(context, 0)), withFields(pairedInput(context, 1))];
    if (context.version < 2.2) {
      const [names1, names2] = [fields.map(({ field1 }) => field1), fields.map(({ field2 }) => field2)];
      if (one.length > 0) requireFields(one, names1, match, 'Input A');
      if (other.length > 0) requireFields(other, names2, match, 'Input B');
    }
    const { matched, unmatched1, unmatched2 } = findMatches(one, other, fields, match);
    const same: Item[] = [];
    const different: Item[] = [];
    for (const { item, partners } of matched) {
      const equal = partners.find((partner) => areSame(item, partner, comparison));
      if (equal !== undefined) same.push(loose && comparison.resolution.kind === 'preferInput2' ? equal : item);
      different.push(
        ...partners
          .filter((partner) => !areSame(item, partner, comparison))
          .map((partner) => difference(item, partner, comparison)),
      );
    }
    return outputs(unmatched1, same, different, unmatched2);
  },
};

/** Items without fields are ignored. */
function withFields(items: readonly Item[]): Item[] {
  return items.filter(({ json }) => Object.keys(json).length > 0);
}

function readComparison(context: NodeContext): Comparison {
  const skipped = fieldNames(context, 'options.skipFields', 0);
  const dotNotation = !booleanParameter(context, 'options.disableDotNotation', 0);
  const path = dotNotation ? undefined : skipped.find((name) => name.includes('.'));
  if (path !== undefined)
    throw new NodeFailure(`Dot notation is disabled, but field to skip comparing '${path}' contains dot`);
  return {
    fields: readFields(context),
    loose: booleanParameter(context, 'fuzzyCompare', 0) || booleanParameter(context, 'options.fuzzyCompare', 0),
    nullIsZero: context.version >= 2,
    version: context.version,
    dotNotation,
    skipped,
    access: listAccess(context),
    resolution: readResolution(context),
  };
}

function readFields(context: NodeContext): FieldPair[] {
  const fields = objectsParameter(context, 'mergeByFields.values', 0).map(({ field1, field2 }) => ({
    field1: nameOf(field1),
    field2: nameOf(field2),
  }));
  if (fields.length > 0 && fields.every(({ field1, field2 }) => field1 !== '' && field2 !== '')) return fields;
  throw new NodeFailure('You need to define at least one pair of fields in "Fields to Match" to match on', {
    description: 'Name the fields of both inputs whose values must be equal.',
  });
}

function readResolution(context: NodeContext): Resolution {
  const kind = choiceParameter(
    context,
    'resolve',
    0,
    ['preferInput1', 'preferInput2', 'mix', 'includeBoth'],
    context.version < 2.1 ? 'preferInput2' : 'includeBoth',
  );
  switch (kind) {
    case 'preferInput1':
    case 'preferInput2':
      return { kind };
    case 'includeBoth':
      return { kind, names: context.version < 2 ? ['input1', 'input2'] : ['inputA', 'inputB'] };
    case 'mix': {
      const preferred = choiceParameter(context, 'preferWhenMix', 0, ['input1', 'input2']) === 'input1' ? 0 : 1;
      return { kind, preferred, except: fieldNames(context, 'exceptWhenMix', 0) };
    }
  }
}
