import { toYaml, type AppFile, type Json } from '@weft/apply';
import type { Weft } from '@weft/client';
import { findSomeFiles, readFile } from '../files/collect-files';
import { checkApps, REVISIONS } from '../files/read-apps';
import { plainJson } from '../output/plain-text';
import { EXIT, type ExitCode } from '../session/exit-code';
import type { ArgumentSpec, Call, CommandSpec } from './command';

const FILES: ArgumentSpec = {
  name: 'file',
  description: 'app file, YAML or JSON, or a folder of app files',
  repeats: true,
};
const NAME: ArgumentSpec = { name: 'name', description: 'name of the app' };

const COLUMNS = ['name', 'label', 'kinds', 'digest', 'updatedAt'];

/** Reads and checks app files. @throws CommandError with every problem of the files */
const readApps = (paths: readonly string[]): readonly AppFile[] =>
  checkApps(findSomeFiles(paths).map(({ file }) => ({ file, text: readFile(file) })));

const check = ({ args, print }: Call): ExitCode => {
  const apps = readApps(args);
  print.list(apps.map(({ name, document, kinds, file }) => ({ name, label: document['label'], kinds, file })));
  return EXIT.success;
};

const digestsOf = async (weft: Weft): Promise<ReadonlyMap<string, string>> =>
  new Map((await weft.call('listApps')).data.map(({ name, digest }) => [name, digest]));

const add = async ({ args, io, weft: connect, print }: Call): Promise<ExitCode> => {
  const apps = readApps(args);
  const weft = connect();
  const before = await digestsOf(weft);
  const results = [];
  for (const { name, kinds, digest, document } of apps) {
    await weft.request('PUT', '/apps/{id}', { path: { id: name }, body: document });
    const old = before.get(name);
    const action = old === undefined ? 'created' : old === digest ? 'unchanged' : 'updated';
    results.push({ name, action, kinds, digest });
  }
  print.list(results);
  if (results.some(({ action }) => action === 'updated')) io.err(REVISIONS);
  return EXIT.success;
};

export const APP_COMMANDS: readonly CommandSpec[] = [
  { path: 'app check', summary: 'Check app files, without an instance', args: [FILES], run: check },
  { path: 'app add', summary: 'Check app files, and add or replace their apps', args: [FILES], run: add },
  {
    path: 'app list',
    summary: 'List the apps that were added',
    run: async ({ weft, print }) => {
      print.list((await weft().call('listApps')).data, COLUMNS);
      return EXIT.success;
    },
  },
  {
    path: 'app get',
    summary: 'Print the file of an app, as YAML; JSON with -o json',
    args: [NAME],
    run: async ({ io, weft, args, options }) => {
      const { data } = await weft().call('getApp', { path: { id: args[0] ?? '' } });
      const document: Json = JSON.parse(JSON.stringify(data.document));
      io.out(options.text('output') === 'json' ? `${plainJson(document, 2)}\n` : toYaml(document));
      return EXIT.success;
    },
  },
  {
    path: 'app remove',
    summary: 'Delete an app',
    args: [NAME],
    options: [
      {
        flags: '--force',
        description:
          'although active workflows use it: they keep their revision until they are saved or activated again',
      },
    ],
    run: async ({ weft, args, options, print }) => {
      const name = args[0] ?? '';
      await weft().call('deleteApp', {
        path: { id: name },
        ...(options.isSet('force') ? { query: { force: true } } : {}),
      });
      print.one({ name });
      return EXIT.success;
    },
  },
];
