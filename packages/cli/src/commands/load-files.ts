import { diffDefinitions, textOfDifferences, type Checked, type Difference } from '@weft/apply';
import type { Weft } from '@weft/client';
import { collectFiles, refuseFiles } from '../files/collect-files';
import { loadPlan, type LoadedPlan } from '../files/load-plan';
import { checkApps, loadAppPlan } from '../files/read-apps';
import { definitionOf } from '../files/read-definitions';
import { plainText } from '../output/plain-text';
import type { Call } from './command';

const MAX_WARNINGS = 50;

/** Workflows and apps of the files, and the plans for them before anything is written. */
export const loadAll = async (call: Call) => {
  const { options } = call;
  const { documents, apps: files } = collectFiles(options.list('file'));
  const apps = checkApps(files);
  const weft = call.weft();
  const pruning = options.isSet('pruneAllApps') ? 'all' : options.isSet('pruneApps') ? 'half' : 'none';
  const appPlan = await loadAppPlan(weft, apps, pruning);
  if (appPlan.errors.length > 0) throw refuseFiles(appPlan.errors);
  return { weft, documents, apps, appPlan, loaded: await loadPlan(weft, documents, options, appPlan.steps) };
};

/** Differences between the stored definition of a workflow and its file; empty for a new workflow. */
export const differencesOf = async (
  weft: Weft,
  { workflow, check }: Checked,
  positions: boolean,
): Promise<readonly Difference[]> =>
  workflow === undefined || workflow.hash === check.hash || check.definition === null
    ? []
    : diffDefinitions(await definitionOf(weft, workflow.id), check.definition, { positions });

/** Lines that show what differs between a workflow and its file. */
export const linesOf = async (weft: Weft, one: Checked, positions: boolean): Promise<readonly string[]> => {
  const { document, workflow } = one;
  if (workflow === undefined) return [`+ ${document.key}: new, from ${document.file}`];
  const active =
    document.active === undefined || document.active === workflow.active
      ? []
      : [`  ~ active: ${workflow.active} -> ${document.active}`];
  const differences = textOfDifferences(await differencesOf(weft, one, positions));
  const managed = active.length + differences.length === 0 ? ['  ~ its set or key'] : [];
  return [`~ ${document.key} (${workflow.id})`, ...active, ...differences, ...managed];
};

/** Prints what the plan does not do, and why. */
export const warnAll = ({ io }: Call, { plan }: LoadedPlan): void => {
  for (const { document, message } of plan.warnings.slice(0, MAX_WARNINGS))
    io.err(`${plainText(`${document.file}: warning: ${message}`)}\n`);
  if (plan.warnings.length > MAX_WARNINGS) io.err(`and ${plan.warnings.length - MAX_WARNINGS} more warnings\n`);
  for (const { document, workflow, message } of plan.conflicts)
    io.err(`${plainText(`${document?.file ?? workflow?.key ?? ''}: ${message}`)}\n`);
};
