import type { Checked, Difference } from '@weft/apply';
import { refuseFiles } from '../files/collect-files';
import { CONCURRENT, inParallel } from '../files/in-parallel';
import type { LoadedPlan } from '../files/load-plan';
import { appDifferences, appLines } from '../files/read-apps';
import { plainText } from '../output/plain-text';
import { EXIT, type ExitCode } from '../session/exit-code';
import { apply } from './apply';
import type { Call, CommandSpec, OptionSpec } from './command';
import { differencesOf, linesOf, loadAll, warnAll } from './load-files';
import { pull } from './pull';

const FILES: OptionSpec = {
  flags: '-f, --file PATH',
  description: 'file or folder of workflows and apps, JSON or YAML',
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

const jsonOfDifferences = (differences: readonly Difference[]) =>
  differences.map(({ path, before = null, after = null }) => ({ path, before, after }));

const diff = async (call: Call): Promise<ExitCode> => {
  const { io, options, print } = call;
  const { weft, loaded, appPlan } = await loadAll(call);
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
        differences: jsonOfDifferences(differences),
      };
    });
    const apps = await inParallel(appPlan.steps, CONCURRENT, async (step) => ({
      app: step.app.name,
      file: step.app.file,
      isNew: step.action === 'create',
      differences: jsonOfDifferences(await appDifferences(weft, step)),
    }));
    print.list([...apps, ...entries]);
  } else {
    const apps = await inParallel(appPlan.steps, CONCURRENT, (step) => appLines(weft, step));
    for (const line of apps.flat()) io.out(`${plainText(line)}\n`);
    const texts = await inParallel(changed, CONCURRENT, (one) => linesOf(weft, one, positions));
    for (const line of texts.flat()) io.out(`${plainText(line)}\n`);
  }
  return changed.length + appPlan.steps.length > 0 ? EXIT.different : EXIT.success;
};

const check = async (call: Call): Promise<ExitCode> => {
  const { print } = call;
  const { checked, plan } = (await loadAll(call)).loaded;
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
    summary: 'Make workflows and apps equal to files',
    options: [
      FILES,
      ...PLACE,
      { flags: '--dry-run', description: 'show what would change, and change nothing' },
      { flags: '--prune', description: 'delete workflows of the set that are in no file, at most half of it' },
      { flags: '--prune-all', description: 'prune without that limit' },
      {
        flags: '--prune-apps',
        description: 'delete apps of the instance that are in no file and that no active workflow uses, at most half',
      },
      { flags: '--prune-all-apps', description: 'prune apps without that limit' },
      ...TAKE_OVER,
      MAP,
      {
        flags: '--renew-apps',
        description: 'also write unchanged workflows that use user-defined apps: they get the current revisions',
      },
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
