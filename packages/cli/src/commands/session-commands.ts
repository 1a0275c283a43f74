import type { Weft } from '@weft/client';
import { contextFile, findContext, readContexts, writeContexts } from '../session/contexts';
import { CommandError, EXIT, exitCodeOf, messageOf, mostSevere, type ExitCode } from '../session/exit-code';
import { addressOf, connect, openSession } from '../session/session';
import { RELEASE } from '../release';
import type { Call, CommandSpec } from './command';

const DEFAULT_URL = 'http://127.0.0.1:8080';

const askKey = async ({ io, options }: Call): Promise<string> => {
  const given = options.isSet('withKey') ? io.readAll() : undefined;
  if (given === undefined && !io.inIsTerminal)
    throw new CommandError('Without a terminal, give the key on stdin: weft login URL --with-key < FILE', EXIT.usage);
  const key = (given ?? (await io.askSecret('API key: '))).trim();
  if (key === '') throw new CommandError('The API key is empty.', EXIT.usage);
  if (!/^[\x21-\x7e]{1,500}$/.test(key)) throw new CommandError('The API key has invalid characters.', EXIT.usage);
  return key;
};

const callerOf = async (weft: Weft) => (await weft.call('getCaller')).data;

const login = async (call: Call): Promise<ExitCode> => {
  const { io, args, options, sessionOptions, print } = call;
  const url = addressOf(args[0] || io.env['WEFT_URL'] || DEFAULT_URL);
  const apiKey = await askKey(call);
  const { weft } = openSession(io, { url: url.href, apiKey, from: 'login' }, sessionOptions);
  const { user, release } = await callerOf(weft);
  const name = options.text('name') ?? url.host;
  const before = readContexts(io);
  writeContexts(io, { current: name, contexts: { ...before.contexts, [name]: { url: url.href, apiKey } } });
  print.one({ id: name, context: name, url: url.href, user: user.email, role: user.role, release });
  return EXIT.success;
};

const known = (call: Call): { readonly name: string; readonly before: ReturnType<typeof readContexts> } => {
  const before = readContexts(call.io);
  const name = call.args[0] || (before.current ?? '');
  if (!Object.hasOwn(before.contexts, name))
    throw new CommandError(`There is no context "${name}". See: weft context list`, EXIT.notFound);
  return { name, before };
};

const NAME = { name: 'name', description: 'name of the context' };

interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly message: string;
  readonly exitCode: ExitCode;
}

const found = (check: string, message: string): Finding => ({ check, ok: true, message, exitCode: EXIT.success });

const checkServer = async (weft: Weft): Promise<readonly Finding[]> => {
  const caller = await callerOf(weft);
  const { key, user, release } = caller;
  const expiry = key?.expiresAt;
  return [
    found('key', `${key?.name ?? 'no key'} of ${user.email}, ${user.role}`),
    found('scopes', key?.scopes?.join(', ') ?? 'not limited'),
    found('expiry', expiry ?? 'never'),
    release === RELEASE
      ? found('release', release)
      : found('release', `the server has ${release}, this command line ${RELEASE}`),
  ];
};

const doctor = async ({ io, sessionOptions, print }: Call): Promise<ExitCode> => {
  const findings: Finding[] = [found('node', process.version), found('context file', contextFile(io))];
  const fail = (check: string, error: unknown): void => {
    findings.push({ check, ok: false, message: messageOf(error), exitCode: exitCodeOf(error) });
  };
  try {
    const source = findContext(io, sessionOptions.context);
    findings.push(found('context', `${source.from}, ${source.url}`));
    findings.push(...(await checkServer(connect(io, sessionOptions).weft)));
  } catch (error) {
    fail(findings.some(({ check }) => check === 'context') ? 'server' : 'context', error);
  }
  print.list(findings, ['check', 'ok', 'message']);
  return mostSevere(findings.map(({ exitCode }) => exitCode));
};

export const SESSION_COMMANDS: readonly CommandSpec[] = [
  {
    path: 'login',
    summary: 'Store the address and a key of an instance as a context, and use it',
    args: [{ name: 'url', description: `address of the instance; default WEFT_URL or ${DEFAULT_URL}`, optional: true }],
    options: [
      { flags: '--with-key', description: 'read the key from stdin' },
      { flags: '--name NAME', description: 'name of the context; default: the host' },
    ],
    run: login,
  },
  {
    path: 'context list',
    summary: 'List the contexts',
    run: ({ io, print }) => {
      const { current, contexts } = readContexts(io);
      print.list(
        Object.entries(contexts).map(([name, { url }]) => ({ name, url, current: name === current })),
        ['name', 'url', 'current'],
      );
      return EXIT.success;
    },
  },
  {
    path: 'context use',
    summary: 'Use a context from now on',
    args: [NAME],
    run: (call) => {
      const { name, before } = known(call);
      writeContexts(call.io, { ...before, current: name });
      return EXIT.success;
    },
  },
  {
    path: 'context show',
    summary: 'Show a context, without its key',
    args: [{ ...NAME, optional: true }],
    run: (call) => {
      const { name, before } = known(call);
      call.print.one({ name, url: before.contexts[name]?.url, current: name === before.current });
      return EXIT.success;
    },
  },
  {
    path: 'context remove',
    summary: 'Remove a context and its key from this machine',
    args: [NAME],
    run: (call) => {
      const { name, before } = known(call);
      const contexts = Object.fromEntries(Object.entries(before.contexts).filter(([one]) => one !== name));
      writeContexts(call.io, { current: before.current === name ? undefined : before.current, contexts });
      return EXIT.success;
    },
  },
  {
    path: 'doctor',
    summary: 'Check the context, the connection and the key',
    run: doctor,
  },
  {
    path: 'version',
    summary: 'Show the release of this command line',
    options: [{ flags: '--server', description: 'show the release of the server, too' }],
    run: async ({ options, print, weft }) => {
      const server = options.isSet('server') ? (await weft().call('getVersion')).data : undefined;
      print.one({ id: RELEASE, release: RELEASE, ...(server === undefined ? {} : { server }) });
      return EXIT.success;
    },
  },
];
