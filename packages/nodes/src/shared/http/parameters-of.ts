import { toJson } from '@weft/expressions';
import type { RequestContext } from './request-context';
import type { Parameters } from './settings';

/** Parameters that hold JSON as a string. */
const JSON_TEXTS = new Set([
  'jsonBody',
  'jsonQuery',
  'jsonHeaders',
  'bodyParametersJson',
  'queryParametersJson',
  'headerParametersJson',
  'variables',
]);

/** The parameters of a node for one item, as JSON, by the paths of its own version. */
export function parametersOf(context: RequestContext, itemIndex: number): Parameters {
  return {
    read: (path, roots) => {
      const value = JSON_TEXTS.has(path)
        ? context.jsonParameter(path, itemIndex)
        : context.parameter(path, itemIndex, roots);
      return value === undefined ? undefined : toJson(value);
    },
    isSet: (path) => context.rawParameter(path) !== undefined,
  };
}
