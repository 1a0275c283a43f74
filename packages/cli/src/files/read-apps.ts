import type { AppDocument } from '@weft/app-model';
import type * as Checks from '@weft/app-model/check';
import {
  diffJson,
  isObject,
  planApps,
  textOfDifferences,
  type AppFile,
  type AppPlan,
  type AppPruning,
  type AppStep,
  type Difference,
  type JsonObject,
  type ListedApp,
} from '@weft/apply';
import { WeftError, type Weft } from '@weft/client';
import { plainText } from '../output/plain-text';
import { CommandError, EXIT, exitCodeOf, messageOf, type ExitCode } from '../session/exit-code';
import type { FileText } from './collect-files';

/** Sentence for people who have replaced an app. */
export const REVISIONS =
  'Stored workflows keep the revision of a replaced app that they have, until they are saved or activated again: ' +
  '`weft apply --renew-apps` saves them.\n';

const MAX_SHOWN = 100;

const linesOf = ({ problems }: Extract<Checks.CheckedApp, { kind: 'problems' }>): readonly string[] =>
  problems.map(({ file, line, path, message }) => `${file}:${line}: ${path === '' ? '' : `${path}: `}${message}`);

/** Loads the checks when they are needed: no other command uses their libraries. */
const loadChecks = (): typeof Checks => {
  const checks: typeof Checks = require('@weft/app-model/check');
  return checks;
};

const fileOf = (file: string, app: AppDocument, digest: string): AppFile => {
  const document: JsonObject = JSON.parse(JSON.stringify(app));
  return { file, name: app.name, digest, kinds: Object.keys(app.kinds), document };
};

/** Checks app files. @throws CommandError with every problem of the files */
export const checkApps = (files: readonly FileText[]): readonly AppFile[] => {
  if (files.length === 0) return [];
  const { checkApp, digestOf } = loadChecks();
  const checked = files.map(({ file, text }) => ({ file, result: checkApp(file, text, 'user') }));
  const lines = checked.flatMap(({ result }) => (result.kind === 'problems' ? linesOf(result) : []));
  if (lines.length > 0) {
    const more = lines.length > MAX_SHOWN ? [`and ${lines.length - MAX_SHOWN} more`] : [];
    const shown = [...lines.slice(0, MAX_SHOWN), ...more].map(plainText);
    throw new CommandError(`${lines.length} problem${lines.length === 1 ? '' : 's'}.\n${shown.join('\n')}`, EXIT.usage);
  }
  return checked.flatMap(({ file, result }) =>
    result.kind === 'app' ? [fileOf(file, result.app, digestOf(result.app))] : [],
  );
};

/** Plans the writes of apps. No request is sent if there is nothing to write or to delete. */
export const loadAppPlan = async (weft: Weft, apps: readonly AppFile[], pruning: AppPruning): Promise<AppPlan> =>
  planApps(apps, apps.length === 0 && pruning === 'none' ? [] : (await weft.call('listApps')).data, pruning);

/** Outcome of the write of an app. */
export interface AppResult {
  readonly action: 'created' | 'updated' | 'deleted' | 'failed' | 'not attempted';
  readonly app: string;
  /** Empty for a deleted app. */
  readonly file: string;
  readonly message?: string;
  readonly exitCode: ExitCode;
}

/** Adds and replaces apps, one after the other. After a failure no further app is written. */
export const performAppSteps = async (
  weft: Weft,
  steps: readonly AppStep[],
  report: (result: AppResult) => void,
): Promise<readonly AppResult[]> => {
  const results: AppResult[] = [];
  for (const { action, app, seen } of steps) {
    const headers = seen === undefined ? { 'if-none-match': '*' } : { 'if-match': `"${seen}"` };
    const facts = { app: app.name, file: app.file };
    const hasFailed = results.some((one) => one.action === 'failed');
    const result: AppResult = hasFailed
      ? { ...facts, action: 'not attempted', exitCode: EXIT.success }
      : await weft.request('PUT', '/apps/{id}', { path: { id: app.name }, body: app.document, headers }).then(
          (): AppResult => ({ ...facts, action: action === 'create' ? 'created' : 'updated', exitCode: EXIT.success }),
          (error: unknown): AppResult => ({
            ...facts,
            action: 'failed',
            message: failureOf(error),
            exitCode: exitCodeOf(error),
          }),
        );
    results.push(result);
    report(result);
  }
  return results;
};

/** Deletes apps, one after the other. One that active workflows use is left, and the others are deleted. */
export const deleteApps = async (
  weft: Weft,
  apps: readonly ListedApp[],
  report: (result: AppResult) => void,
): Promise<readonly AppResult[]> => {
  const results: AppResult[] = [];
  for (const { name } of apps) {
    const facts = { app: name, file: '' };
    const result = await weft.call('deleteApp', { path: { id: name } }).then(
      (): AppResult => ({ ...facts, action: 'deleted', exitCode: EXIT.success }),
      (error: unknown): AppResult => ({
        ...facts,
        action: 'failed',
        message: failureOf(error),
        exitCode: exitCodeOf(error),
      }),
    );
    results.push(result);
    report(result);
  }
  return results;
};

const failureOf = (error: unknown): string =>
  error instanceof WeftError && error.status === 403
    ? `${messageOf(error)} Owners and admins can change apps, with a key that is not limited.`
    : messageOf(error);

/** Differences between the app of the instance and that of a file; all of it for a new app. */
export const appDifferences = async (weft: Weft, { action, app }: AppStep): Promise<readonly Difference[]> => {
  if (action === 'create') return [];
  const stored: unknown = JSON.parse(
    JSON.stringify((await weft.call('getApp', { path: { id: app.name } })).data.document),
  );
  return diffJson(isObject(stored) ? stored : {}, app.document);
};

/** Lines that show what differs between an app and its file. */
export const appLines = async (weft: Weft, step: AppStep): Promise<readonly string[]> =>
  step.action === 'create'
    ? [`+ app ${step.app.name}: new, from ${step.app.file}`]
    : [`~ app ${step.app.name}`, ...textOfDifferences(await appDifferences(weft, step))];
