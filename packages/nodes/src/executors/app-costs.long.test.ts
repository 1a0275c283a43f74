import { readAppCases } from '../testing/cases/app-cases';
import { testCosts } from '../testing/cases/cost-tests';

testCosts(' for apps', readAppCases());
