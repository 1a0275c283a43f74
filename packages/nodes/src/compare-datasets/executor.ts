import { type Item, type NodeContext, type NodeExecutor, NodeFailure, outputs } from '@weft/engine';
import { fieldNames, listAccess } from '../shared/lists/field-names';
import { pairedInput } from '../merge/paired-inputs';
import { booleanParameter, choiceParameter, objectsParameter, textParameter } from '../shared/read-parameter';
import { type FieldPair, type MatchOptions, findMatches, requireFields } from '../shared/values/find-matches';
import type { Comparison, Resolution } from './compare-items';
import { areSame, difference } from './compare-items';

/** Compares two lists: items only in the first, the same in both, different, only in the second. */
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
    const [one, other] = [pairedInput(context, 0), pairedInput(context, 1)];
    if (one.length > 0)
      requireFields(
        one,
        fields.map(({ field1 }) => field1),
        match,
        'Input A',
      );
    if (other.length > 0)
      requireFields(
        other,
        fields.map(({ field2 }) => field2),
        match,
        'Input B',
      );
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

function readComparison(context: NodeContext): Comparison {
  return {
    fields: readFields(context),
    loose: booleanParameter(context, 'fuzzyCompare', 0) || booleanParameter(context, 'options.fuzzyCompare', 0),
    nullIsZero: context.version >= 2,
    skipped: fieldNames(context, 'options.skipFields', 0),
    access: listAccess(context),
    resolution: readResolution(context),
  };
}

function readFields(context: NodeContext): FieldPair[] {
  const fields = objectsParameter(context, 'mergeByFields.values', 0).map(({ field1, field2 }) => ({
    field1: String(field1 ?? ''),
    field2: String(field2 ?? ''),
  }));
  if (fields.length > 0 && fields.every(({ field1, field2 }) => field1 !== '' && field2 !== '')) return fields;
  throw new NodeFailure('You need to define at least one pair of fields to match on', {
    description: 'Name the fields of both inputs whose values must be equal.',
  });
}

function readResolution(context: NodeContext): Resolution {
  const kind = choiceParameter(
    context,
    'resolve',
    0,
    ['preferInput1', 'preferInput2', 'mix', 'includeBoth'],
    context.version < 2 ? 'preferInput2' : 'includeBoth',
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
