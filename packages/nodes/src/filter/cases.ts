import { conditionCases } from '../testing/condition-cases';

export const filterCases = conditionCases({
  kind: 'filter',
  first: 'passes the items whose conditions all hold, or one of them',
  later: 'passes the items whose conditions hold, and records the others',
  any: { combineConditions: 'OR' },
});
