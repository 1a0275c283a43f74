import { type Item, NodeFailure } from '@weft/engine';
import type { ClashHandling } from './clash';
import { mergeJson, withSuffix } from './clash';
import { type FieldPair, type Matches, type MatchOptions, findMatches } from '../shared/values/find-matches';
import { binariesOf, pairedWith } from './paired-inputs';

/** Selection of the output items. */
export const JOIN_MODES = ['keepMatches', 'keepNonMatches', 'keepEverything', 'enrichInput1', 'enrichInput2'] as const;
/** Selection of the inputs whose fields are output. */
export const DATA_FROM = ['both', 'input1', 'input2'] as const;

/** Options for combining two inputs by fields. */
export interface FieldJoin {
  readonly fields: readonly FieldPair[];
  readonly joinMode: (typeof JOIN_MODES)[number];
  readonly dataFrom: (typeof DATA_FROM)[number];
  readonly match: MatchOptions;
  readonly clash: ClashHandling;
}

/** Combines two inputs by field values. @throws NodeFailure if no fields are set */
export function combineByFields(input1: readonly Item[], input2: readonly Item[], join: FieldJoin): Item[] {
  if (join.fields.length === 0) {
    throw new NodeFailure('You need to define at least one pair of fields in "Fields to Match" to match on', {
      description: 'Name the fields of both inputs whose values must be equal.',
    });
  }
  if (input1.length === 0 || input2.length === 0) return withOneInput(input1, input2, join);
  const matches = findMatches(input1, input2, join.fields, join.match);
  const suffixed = (items: readonly Item[], input: number): readonly Item[] =>
    join.clash.addSuffix ? items.map((item) => withSuffix(item, input)) : items;
  switch (join.joinMode) {
    case 'keepMatches':
      return matchedItems(matches, join);
    case 'keepEverything':
      return [...matchedItems(matches, join), ...suffixed(matches.unmatched1, 0), ...suffixed(matches.unmatched2, 1)];
    case 'keepNonMatches':
      return unmatchedItems(matches, join);
    case 'enrichInput1':
      return [...mergeMatched(matches, join), ...suffixed(matches.unmatched1, 0)];
    case 'enrichInput2':
      return [...mergeMatched(matches, join), ...suffixed(matches.unmatched2, 1)];
  }
}

function withOneInput(input1: readonly Item[], input2: readonly Item[], { joinMode, dataFrom }: FieldJoin): Item[] {
  switch (joinMode) {
    case 'keepMatches':
      return [];
    case 'enrichInput1':
      return [...input1];
    case 'enrichInput2':
      return [...input2];
    case 'keepNonMatches':
      return [...(dataFrom === 'input2' ? [] : input1), ...(dataFrom === 'input1' ? [] : input2)];
    case 'keepEverything':
      return [...input1, ...input2];
  }
}

function matchedItems(matches: Matches, join: FieldJoin): Item[] {
  switch (join.dataFrom) {
    case 'input1':
      return matches.matched.map(({ item }) => item);
    case 'input2':
      return [...matches.matched2];
    case 'both':
      return mergeMatched(matches, join);
  }
}

function unmatchedItems({ unmatched1, unmatched2 }: Matches, { dataFrom }: FieldJoin): Item[] {
  switch (dataFrom) {
    case 'input1':
      return [...unmatched1];
    case 'input2':
      return [...unmatched2];
    case 'both':
      return [
        ...unmatched1.map((item) => withSource(item, 'input1')),
        ...unmatched2.map((item) => withSource(item, 'input2')),
      ];
  }
}

/** Marks the input of an unmatched item, since the items of both inputs are in one array. */
function withSource(item: Item, source: string): Item {
  return { ...item, json: { ...item.json, _source: source } };
}

/** One item for each match, in the order of the first input. */
function mergeMatched(matches: Matches, { clash, joinMode }: FieldJoin): Item[] {
  const preferFirst = (clash.preferredInput ?? (joinMode === 'enrichInput2' ? 0 : 1)) === 0;
  return matches.matched.flatMap(({ item, partners }) =>
    partners.map((partner) => {
      const inOrder = clash.addSuffix
        ? [withSuffix(item, 0), withSuffix(partner, 1)]
        : preferFirst
          ? [partner, item]
          : [item, partner];
      return {
        json: mergeJson(
          inOrder.map((one) => one.json),
          clash,
        ),
        pairedItem: pairedWith(inOrder),
        ...binariesOf(inOrder),
      };
    }),
  );
}
