import { conditionCases } from '../testing/cases/condition-cases';

export const filterCases = conditionCases({
  kind: 'filter',
  first: 'passes items on if all conditions hold, or any of them',
  later: 'passes items on whose conditions hold, and records the others',
  any: { combineConditions: 'OR' },
});
