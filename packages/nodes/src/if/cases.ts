import { conditionCases } from '../testing/cases/condition-cases';

export const ifCases = conditionCases({
  kind: 'if',
  first: 'sends items to the first output if all conditions hold, or any of them',
  later: 'sends each item to one of two outputs',
  any: { combineOperation: 'any' },
});
