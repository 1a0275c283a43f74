import type { Report } from '@weft/local-stack';
import { N8N } from '../n8n/n8n-subject';
import type { Subject, SubjectKind, SubjectPlan } from './subject';
import { WEFT } from './weft-subject';

const KINDS: Readonly<Record<SubjectPlan['kind'], SubjectKind>> = { weft: WEFT, n8n: N8N };

/** @throws StackError if the folder of a plan does not hold its program */
export const checkSubject = ({ kind, folder }: SubjectPlan): void => KINDS[kind].check(folder);

/** Starts the program of a plan. */
export const startSubject = (plan: SubjectPlan, report: Report): Promise<readonly Subject[]> => {
  report(`Starting ${plan.name} (${plan.folder}) ...`);
  return KINDS[plan.kind].start(plan, report);
};
