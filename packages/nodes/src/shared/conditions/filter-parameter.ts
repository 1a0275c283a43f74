import type { NodeContext } from '@weft/engine';
import { booleanParameter } from '../read-parameter';
import { evaluateFilter } from './evaluate-filter';
import { readFilter } from './filter-value';

/**
 * True if an item passes the filter in a parameter. Two settings come from options of the node, both off by default:
 * `ignoreCase`, and `looseTypeValidation`, which is under `options` before version `looseSince`.
 * @throws NodeFailure if a value has the wrong type for its condition.
 */
export function evaluateFilterParameter(
  context: Pick<NodeContext, 'parameter' | 'defaultOf' | 'version' | 'timezone'>,
  path: string,
  itemIndex: number,
  looseSince = 2.1,
): boolean {
  const { version } = context;
  const loose = booleanParameter(
    context,
    version < looseSince ? 'options.looseTypeValidation' : 'looseTypeValidation',
    itemIndex,
  );
  const filter = readFilter(context.parameter(path, itemIndex), {
    caseSensitive: !booleanParameter(context, 'options.ignoreCase', itemIndex),
    strict: !loose,
    version: 1,
  });
  return evaluateFilter(filter, { itemIndex, timezone: context.timezone });
}
