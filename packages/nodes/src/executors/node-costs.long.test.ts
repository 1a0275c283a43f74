import { testCosts } from '../testing/cases/cost-tests';
import { findOwnCases } from '../testing/cases/find-cases';

/** Databases are covered by the service tests: their cases need a server. */
testCosts(
  '',
  findOwnCases().filter(({ database }) => database === undefined),
);
