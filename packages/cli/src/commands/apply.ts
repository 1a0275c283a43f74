import type { AppPlan, AppStep, Plan } from '@weft/apply';
import type { Weft } from '@weft/client';
import { refuseFiles } from '../files/collect-files';
import { CONCURRENT, inParallel } from '../files/in-parallel';
import { loadPlan, type LoadedPlan } from '../files/load-plan';
import { performSteps, targetOf, type StepResult } from '../files/perform-steps';
import { deleteApps, performAppSteps, REVISIONS, type AppResult } from '../files/read-apps';
import { plainText } from '../output/plain-text';
import { RELEASE } from '../release';
import { EXIT, mostSevere, type ExitCode } from '../session/exit-code';
import type { Call } from './command';
import { linesOf, loadAll, warnAll } from './load-files';

const NOTHING: Plan = { errors: [], steps: [], conflicts: [], warnings: [], unchanged: [] };

const SIGNS: Readonly<Record<StepResult['action'] | AppResult['action'], string>> = {
  created: '+',
  updated: '~',
  deleted: '-',
  activated: '~',
  deactivated: '~',
  failed: '!',
  'not attempted': '!',
};

const summaryOf = (results: readonly { readonly action: string }[], unchanged: number, conflicts: number): string => {
  const counts = new Map<string, number>();
  for (const { action } of results) counts.set(action, (counts.get(action) ?? 0) + 1);
  const parts = [...counts].map(([action, count]) => `${count} ${action}`);
  const conflicting = conflicts === 0 ? [] : [`${conflicts} conflict${conflicts === 1 ? '' : 's'}`];
  return [...parts, `${unchanged} unchanged`, ...conflicting].join(', ');
};

const printResult = (
  call: Call,
  loaded: LoadedPlan,
  results: readonly object[],
  apps: readonly object[] | undefined,
): void => {
  const { plan } = loaded;
  const { format, quiet } = call.print;
  if (format === 'table' && !quiet) return;
  const conflicts = plan.conflicts.map(({ reason, document, workflow, message }) => ({
    reason,
    key: document?.key ?? workflow?.key ?? '',
    id: workflow?.id ?? '',
    file: document?.file ?? '',
    message,
  }));
  const warnings = plan.warnings.map(({ document, message }) => ({ file: document.file, message }));
  if (quiet) return call.print.list(results);
  call.print.one({
    changes: results,
    ...(apps === undefined ? {} : { apps }),
    conflicts,
    warnings,
    unchanged: plan.unchanged.length,
  });
};

const warnOfRelease = async (call: Call, weft: Weft): Promise<void> => {
  const { release } = (await weft.call('getVersion')).data;
  if (release !== RELEASE) call.io.err(`The server has release ${plainText(release)}, this command line ${RELEASE}.\n`);
};

const planned = (loaded: LoadedPlan): readonly object[] =>
  loaded.plan.steps.map((step) => ({ action: step.action, ...targetOf(step) }));

/** Writes one line about progress: data on a terminal, a message otherwise. */
const sayer =
  ({ io, print }: Call) =>
  (line: string): void => {
    if (print.format === 'table' && !print.quiet) io.out(`${plainText(line)}\n`);
    else io.err(`${plainText(line)}\n`);
  };

/** Says what happened to an app. */
const appSayer =
  (call: Call) =>
  ({ action, app, message }: AppResult): void =>
    sayer(call)(`${SIGNS[action]} app ${app}: ${action}${message === undefined ? '' : `: ${message}`}`);

/** Adds and replaces apps. @returns their results */
const applyApps = async (call: Call, weft: Weft, steps: readonly AppStep[]): Promise<readonly AppResult[]> => {
  const results = await performAppSteps(weft, steps, appSayer(call));
  if (results.some(({ action }) => action === 'updated')) call.io.err(REVISIONS);
  return results;
};

/** Deletes the apps of the plan, unless workflows could not be written: those of the set may still use the apps. */
const pruneApps = async (
  call: Call,
  weft: Weft,
  { pruned }: AppPlan,
  failed: ExitCode,
): Promise<readonly AppResult[]> => {
  const report = appSayer(call);
  if (failed === EXIT.success && !call.io.signal.aborted) return deleteApps(weft, pruned, report);
  const results = pruned.map(({ name }): AppResult => ({
    app: name,
    file: '',
    action: 'not attempted',
    exitCode: EXIT.success,
  }));
  for (const result of results) report(result);
  return results;
};

/** Writes apps, then workflows, and then deletes apps that are pruned. */
export const apply = async (call: Call): Promise<ExitCode> => {
  const { io, options } = call;
  const isDry = options.isSet('dryRun');
  const all = await loadAll(call);
  const { weft, documents, appPlan } = all;
  await warnOfRelease(call, weft);
  if (all.loaded.plan.errors.length > 0) throw refuseFiles(all.loaded.plan.errors);
  const appSteps = isDry ? [] : appPlan.steps;
  const apps = await applyApps(call, weft, appSteps);
  const failed = mostSevere(apps.map(({ exitCode }) => exitCode));
  if (failed !== EXIT.success) {
    printResult(call, { ...all.loaded, plan: NOTHING }, [], apps);
    return failed;
  }
  // Nodes of kinds that have just been added could not be checked before.
  const loaded = appSteps.length === 0 ? all.loaded : await loadPlan(weft, documents, options);
  const { plan, checked, projectId } = loaded;
  if (plan.errors.length > 0) throw refuseFiles(plan.errors, 'the apps were written, and no workflow.');
  warnAll(call, loaded);
  const drifts = plan.conflicts.filter(({ reason }) => reason === 'CHANGED_ELSEWHERE');
  const drifted = new Set(drifts.map(({ document }) => document));
  const changedElsewhere = checked.filter(({ document }) => drifted.has(document));
  const texts = await inParallel(changedElsewhere, CONCURRENT, (one) => linesOf(weft, one, false));
  for (const line of texts.flat()) io.err(`${plainText(line)}\n`);
  const conflict = plan.conflicts.length > 0 ? [EXIT.conflict] : [];
  const deletions = plan.steps.filter(({ action }) => action === 'delete').length;
  if (options.isSet('prune') || options.isSet('pruneAll'))
    io.err(`--prune: ${deletions} workflows of the set are in no file.\n`);
  const say = sayer(call);
  const hasApps = all.apps.length > 0 || appPlan.pruned.length > 0;
  if (options.isSet('pruneApps') || options.isSet('pruneAllApps'))
    io.err(`--prune-apps: ${appPlan.pruned.length} apps of the instance are in no file.\n`);
  if (isDry) {
    for (const { action, app } of appPlan.steps) say(`${action} app ${app.name}`);
    for (const step of plan.steps)
      say(`${step.action} ${'document' in step ? step.document.key : (step.workflow.key ?? step.workflow.id)}`);
    for (const { name } of appPlan.pruned) say(`delete app ${name}`);
    const unchanged = plan.unchanged.length + appPlan.unchanged.length;
    const changes = plan.steps.length + appPlan.steps.length + appPlan.pruned.length;
    say(`Dry run: ${changes} changes, ${unchanged} unchanged.`);
    const plannedApps = [
      ...appPlan.steps.map(({ action, app }) => ({ action: String(action), app: app.name, file: app.file })),
      ...appPlan.pruned.map(({ name }) => ({ action: 'delete', app: name, file: '' })),
    ];
    printResult(call, loaded, planned(loaded), hasApps ? plannedApps : undefined);
    return mostSevere(conflict);
  }
  const results = await performSteps(weft, plan.steps, projectId, io.signal, ({ action, key, message }) =>
    say(`${SIGNS[action]} ${key}: ${action}${message === undefined ? '' : `: ${message}`}`),
  );
  const written = mostSevere(results.map(({ exitCode }) => exitCode));
  const pruned = await pruneApps(call, weft, appPlan, written);
  say(summaryOf(results, plan.unchanged.length, plan.conflicts.length));
  printResult(call, loaded, results, hasApps ? [...apps, ...pruned] : undefined);
  if (io.signal.aborted) return EXIT.interrupted;
  return mostSevere([...conflict, written, ...pruned.map(({ exitCode }) => exitCode)]);
};
