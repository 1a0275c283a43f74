import { conditionCases } from '../testing/condition-cases';

export const ifCases = conditionCases({
  kind: 'if',
  first: 'sends items whose conditions hold, all or one of them, to the first output',
  later: 'sends each item one of two ways',
  any: { combineOperation: 'any' },
});
