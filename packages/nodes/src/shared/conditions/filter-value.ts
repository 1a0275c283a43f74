import { isObject } from '@weft/service-kit/json';

/** One condition of a filter as stored, with its expressions resolved. */
export interface FilterCondition {
  readonly leftValue: unknown;
  readonly rightValue: unknown;
  readonly operator: {
    readonly type: string;
    readonly operation: string;
    /** Type of the right value if it differs from the left one's. */
    readonly rightType?: string;
    /** True if the operation has no right value. */
    readonly singleValue?: boolean;
  };
}

/** A filter: its conditions, of which all (`and`) or any (`or`) must hold. */
export interface FilterValue {
  readonly combinator: 'and' | 'or';
  readonly conditions: readonly FilterCondition[];
  readonly caseSensitive: boolean;
  /** `strict`: a value of the wrong type is an error. `loose`: it is converted. */
  readonly strict: boolean;
  /** 1 to 3: decides how empty strings and booleans are converted. */
  readonly version: number;
}

/** Defaults of options that the stored filter omits. */
export type FilterDefaults = Pick<FilterValue, 'caseSensitive' | 'strict' | 'version'>;

/** Reads a stored filter. Missing fields get their defaults; an empty filter has no conditions. */
export function readFilter(value: unknown, defaults: FilterDefaults): FilterValue {
  const filter = isObject(value) ? value : {};
  const options = isObject(filter['options']) ? filter['options'] : {};
  const { caseSensitive, typeValidation, version } = options;
  const conditions = Array.isArray(filter['conditions']) ? filter['conditions'] : [];
  return {
    combinator: filter['combinator'] === 'or' ? 'or' : 'and',
    conditions: conditions.filter(isObject).map(readCondition),
    caseSensitive: typeof caseSensitive === 'boolean' ? caseSensitive : defaults.caseSensitive,
    strict: typeValidation === 'strict' || typeValidation === 'loose' ? typeValidation === 'strict' : defaults.strict,
    version: typeof version === 'number' ? version : defaults.version,
  };
}

function readCondition(condition: Record<string, unknown>): FilterCondition {
  const operator = isObject(condition['operator']) ? condition['operator'] : {};
  const { type, operation, rightType, singleValue } = operator;
  return {
    leftValue: condition['leftValue'],
    rightValue: condition['rightValue'],
    operator: {
      type: typeof type === 'string' ? type : 'string',
      operation: typeof operation === 'string' ? operation : 'equals',
      ...(typeof rightType === 'string' ? { rightType } : {}),
      ...(typeof singleValue === 'boolean' ? { singleValue } : {}),
    },
  };
}
