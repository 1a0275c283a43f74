import type { JsonObject } from '@weft/node-catalogue';
import type { KindCases, NodeCase } from './node-case';

const low = { n: 1, s: 'a' };
const high = { n: 5, s: 'B' };
const items = [low, high];
const LATER = [2, 2.1, 2.2, 2.3];

const condition = (leftValue: string, operation: string, rightValue: string | number, type = 'number') => ({
  combinator: 'and',
  conditions: [{ leftValue, rightValue, operator: { type, operation } }],
});
/** A case whose conditions hold only for the second item. */
const splits = (it: string, versions: readonly number[], parameters: JsonObject): NodeCase => ({
  it,
  versions,
  run: { items, parameters },
  gives: [[high], [low]],
});

/** Differences of a kind that routes items to two outputs by conditions. */
export interface ConditionKind {
  readonly kind: string;
  /** Descriptions for version 1, which has different conditions, and for later ones. */
  readonly first: string;
  readonly later: string;
  /** Parameters that make version 1 combine conditions with `any`. */
  readonly any: JsonObject;
}

/** Cases of the kinds that send each item to the first output if conditions hold, else to the second. */
export const conditionCases = ({ kind, first, later, any }: ConditionKind): KindCases => ({
  kind,
  cases: [
    splits(first, [1], {
      ...any,
      conditions: {
        number: [{ value1: '={{ $json.n }}', operation: 'larger', value2: 3 }],
        string: [{ value1: '={{ $json.s }}', operation: 'equal', value2: 'zz' }],
      },
    }),
    {
      ...splits(later, LATER, { conditions: condition('={{ $json.n }}', 'gt', 3) }),
      pairs: [[{ item: 1 }], [{ item: 0 }]],
    },
    {
      it: 'respects case and type if its conditions set no options',
      versions: LATER,
      run: { items, parameters: { conditions: condition('={{ $json.s }}', 'equals', 'b', 'string') } },
      gives: [[], items],
    },
    splits('ignores case with its option', LATER, {
      conditions: condition('={{ $json.s }}', 'equals', 'b', 'string'),
      options: { ignoreCase: true },
    }),
    splits('converts types with its option', [2], {
      conditions: condition('={{ $json.n }}', 'equals', '5', 'string'),
      options: { looseTypeValidation: true },
    }),
    splits('converts types with its parameter', [2.1, 2.2, 2.3], {
      conditions: condition('={{ $json.n }}', 'equals', '5', 'string'),
      looseTypeValidation: true,
    }),
    {
      it: 'rejects a wrong type in strict mode',
      versions: LATER,
      run: {
        items,
        parameters: { conditions: { ...condition('={{ $json.s }}', 'gt', 3), options: { typeValidation: 'strict' } } },
      },
      fails: "Wrong type: 'a' is a string but was expecting a number",
    },
    {
      it: 'reports a pattern that cannot be used',
      versions: [1],
      run: {
        items: [{}],
        parameters: { conditions: { string: [{ value1: 'a', operation: 'regex', value2: '(' }] } },
      },
      fails: 'The regular expression ( cannot be used',
    },
  ],
});
