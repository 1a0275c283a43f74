import { diffDefinitions, textOfDifferences, type Checked, type Difference } from '@weft/apply';
import type { Weft } from '@weft/client';
import { collectDocuments, refuseFiles } from '../files/collect-files';
import { CONCURRENT, inParallel } from '../files/in-parallel';
import { loadPlan, type LoadedPlan } from '../files/load-plan';
import { performSteps, targetOf, type StepResult } from '../files/perform-steps';
import { definitionOf } from '../files/read-definitions';
import { plainText } from '../output/plain-text';
import { RELEASE } from '../release';
import { EXIT, mostSevere, type ExitCode } from '../session/exit-code';
import type { Call, CommandSpec, OptionSpec } from './command';
import { pull } from './pull';

const FILES: OptionSpec = {
  flags: '-f, --file PATH',
  description: 'file or folder of workflows, JSON or YAML',
  repeats: true,
  required: true,
};
const PLACE: readonly OptionSpec[] = [
  { flags: '--project PROJECT', description: 'id or name of the project that owns new workflows' },
  { flags: '--set NAME', description: 'the workflows belong together under this name' },
];
const MAP: OptionSpec = {
  flags: '--map TYPE/NAME=ID',
  description: 'use this credential in place of the one with this type and name',
  repeats: true,
};
const TAKE_OVER: readonly OptionSpec[] = [
  { flags: '--adopt', description: 'take over workflows of another set, another program, or none' },
  { flags: '--overwrite', description: 'replace workflows that were changed elsewhere' },
];

const MAX_WARNINGS = 50;

/** Differences between the stored definition of a workflow and its file; empty for a new workflow. */
const differencesOf = async (
  weft: Weft,
  { workflow, check }: Checked,
  positions: boolean,
): Promise<readonly Difference[]> =>
  workflow === undefined || workflow.hash === check.hash || check.definition === null
    ? []
    : diffDefinitions(await definitionOf(weft, workflow.id), check.definition, { positions });

/** Lines that show what differs between a workflow and its file. */
const linesOf = async (weft: Weft, one: Checked, positions: boolean): Promise<readonly string[]> => {
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

const warnAll = ({ io }: Call, { plan }: LoadedPlan): void => {
  for (const { document, message } of plan.warnings.slice(0, MAX_WARNINGS))
    io.err(`${plainText(`${document.file}: warning: ${message}`)}\n`);
  if (plan.warnings.length > MAX_WARNINGS) io.err(`and ${plan.warnings.length - MAX_WARNINGS} more warnings\n`);
  for (const { document, workflow, message } of plan.conflicts)
    io.err(`${plainText(`${document?.file ?? workflow?.key ?? ''}: ${message}`)}\n`);
};

const SIGNS: Readonly<Record<StepResult['action'], string>> = {
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

const printResult = (call: Call, loaded: LoadedPlan, results: readonly object[]): void => {
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
  call.print.one({ changes: results, conflicts, warnings, unchanged: plan.unchanged.length });
};

const warnOfRelease = async (call: Call, weft: Weft): Promise<void> => {
  const { release } = (await weft.call('getVersion')).data;
  if (release !== RELEASE) call.io.err(`The server has release ${plainText(release)}, this command line ${RELEASE}.\n`);
};

const planned = (loaded: LoadedPlan): readonly object[] =>
  loaded.plan.steps.map((step) => ({ action: step.action, ...targetOf(step) }));

const apply = async (call: Call): Promise<ExitCode> => {
  const { io, options, print } = call;
  const documents = collectDocuments(options.list('file'));
  const weft = call.weft();
  const [loaded] = await Promise.all([loadPlan(weft, documents, options), warnOfRelease(call, weft)]);
  const { plan, checked, projectId } = loaded;
  if (plan.errors.length > 0) throw refuseFiles(plan.errors);
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
  const say = (line: string): void => {
    if (print.format === 'table' && !print.quiet) io.out(`${plainText(line)}\n`);
    else io.err(`${plainText(line)}\n`);
  };
  if (options.isSet('dryRun')) {
    for (const step of plan.steps)
      say(`${step.action} ${'document' in step ? step.document.key : (step.workflow.key ?? step.workflow.id)}`);
    say(`Dry run: ${plan.steps.length} changes, ${plan.unchanged.length} unchanged.`);
    printResult(call, loaded, planned(loaded));
    return mostSevere(conflict);
  }
  const results = await performSteps(weft, plan.steps, projectId, io.signal, ({ action, key, message }) =>
    say(`${SIGNS[action]} ${key}: ${action}${message === undefined ? '' : `: ${message}`}`),
  );
  say(summaryOf(results, plan.unchanged.length, plan.conflicts.length));
  printResult(call, loaded, results);
  if (io.signal.aborted) return EXIT.interrupted;
  return mostSevere([...conflict, ...results.map(({ exitCode }) => exitCode)]);
};

/** Documents that differ from their workflow, or that a step is for. */
const changedOf = ({ checked, plan }: LoadedPlan): readonly Checked[] => {
  const stepped = new Set(plan.steps.map((step) => ('document' in step ? step.document : undefined)));
  return checked.filter(
    ({ document, workflow, check: { hash } }) =>
      stepped.has(document) ||
      workflow === undefined ||
      workflow.hash !== hash ||
      (document.active ?? workflow.active) !== workflow.active,
  );
};

const diff = async (call: Call): Promise<ExitCode> => {
  const { io, options, print } = call;
  const documents = collectDocuments(options.list('file'));
  const weft = call.weft();
  const loaded = await loadPlan(weft, documents, options);
  if (loaded.plan.errors.length > 0) throw refuseFiles(loaded.plan.errors);
  warnAll(call, loaded);
  const changed = changedOf(loaded);
  const positions = options.isSet('positions');
  if (options.isSet('json') || print.quiet) {
    const entries = await inParallel(changed, CONCURRENT, async (one) => {
      const { document, workflow } = one;
      const differences = await differencesOf(weft, one, positions);
      return {
        key: document.key,
        id: workflow?.id ?? null,
        file: document.file,
        active: { before: workflow?.active ?? null, after: document.active ?? workflow?.active ?? false },
        differences: differences.map(({ path, before = null, after = null }) => ({ path, before, after })),
      };
    });
    print.list(entries);
  } else {
    const texts = await inParallel(changed, CONCURRENT, (one) => linesOf(weft, one, positions));
    for (const line of texts.flat()) io.out(`${plainText(line)}\n`);
  }
  return changed.length > 0 ? EXIT.different : EXIT.success;
};

const check = async (call: Call): Promise<ExitCode> => {
  const { options, print } = call;
  const documents = collectDocuments(options.list('file'));
  const { checked, plan } = await loadPlan(call.weft(), documents, options);
  print.list(
    checked.map(({ document, check: { runnable, fields, warnings, credentials, routes } }) => ({
      file: document.file,
      key: document.key,
      name: document.name,
      runnable,
      fields,
      warnings,
      credentials,
      routes,
    })),
    ['file', 'key', 'runnable', 'fields', 'warnings'],
  );
  if (plan.errors.length > 0) return EXIT.usage;
  const isOpen = ({ reason }: { readonly reason: string }): boolean =>
    reason === 'CREDENTIAL_NOT_LINKED' || reason === 'WEBHOOK_PATH_TAKEN';
  return plan.conflicts.some(isOpen) ? EXIT.conflict : EXIT.success;
};

export const APPLY_COMMANDS: readonly CommandSpec[] = [
  {
    path: 'apply',
    summary: 'Make workflows equal to files',
    options: [
      FILES,
      ...PLACE,
      { flags: '--dry-run', description: 'show what would change, and change nothing' },
      { flags: '--prune', description: 'delete workflows of the set that are in no file, at most half of it' },
      { flags: '--prune-all', description: 'prune without that limit' },
      ...TAKE_OVER,
      MAP,
    ],
    run: apply,
  },
  {
    path: 'diff',
    summary: 'Show what apply would change; exit code 1 if there is anything',
    options: [
      FILES,
      ...PLACE,
      MAP,
      { flags: '--json', description: 'differences as data' },
      { flags: '--positions', description: 'show where nodes are on the canvas' },
    ],
    run: diff,
  },
  {
    path: 'check',
    summary: 'Check files: errors, warnings, credentials and addresses; nothing is stored',
    options: [FILES, ...PLACE, MAP],
    run: check,
  },
  {
    path: 'pull',
    summary: 'Write workflows of the instance to files',
    options: [
      { flags: '-f, --file DIR', description: 'folder of the files', required: true },
      ...PLACE,
      { flags: '--check', description: 'write nothing; exit code 1 if a file differs' },
    ],
    run: pull,
  },
];
