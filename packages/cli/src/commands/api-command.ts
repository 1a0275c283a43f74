import { CommandError, EXIT } from '../session/exit-code';
import { plainJson } from '../output/plain-text';
import type { CommandSpec } from './command';
import { jsonInput } from './input';

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'];

const pairOf = (option: string, text: string, separator: string): readonly [string, string] => {
  const at = text.indexOf(separator);
  if (at < 1) throw new CommandError(`${option} ${text}: use NAME${separator}VALUE.`, EXIT.usage);
  return [text.slice(0, at).trim(), text.slice(at + separator.length).trim()];
};

export const API_COMMAND: CommandSpec = {
  path: 'api',
  summary: 'Call any endpoint and print its response',
  args: [
    { name: 'method', description: METHODS.join(', ') },
    { name: 'path', description: 'below /api/v1, such as /workflows' },
  ],
  options: [
    { flags: '--body JSON', description: 'the body, or @FILE, or - for stdin' },
    { flags: '--query NAME=VALUE', description: 'a parameter', repeats: true },
    { flags: '--header NAME:VALUE', description: 'a header, such as If-Match:"…"', repeats: true },
  ],
  run: async ({ io, args, options, weft }) => {
    const method = (args[0] ?? '').toUpperCase();
    const [path = '', search = ''] = (args[1] ?? '').replace(/^\/?(?:api\/v1)?\/?/, '/').split('?');
    if (!METHODS.includes(method))
      throw new CommandError(`The method must be one of ${METHODS.join(', ')}.`, EXIT.usage);
    if (path.includes('..') || !/^\/[^\s#{}]{1,2000}$/.test(path))
      throw new CommandError(`"${path}" is not a path such as /workflows.`, EXIT.usage);
    const body = options.text('body');
    const response = await weft().request(method, path, {
      query: {
        ...Object.fromEntries(new URLSearchParams(search)),
        ...Object.fromEntries(options.list('query').map((text) => pairOf('--query', text, '='))),
      },
      headers: Object.fromEntries(options.list('header').map((text) => pairOf('--header', text, ':'))),
      ...(body === undefined ? {} : { body: jsonInput(io, '--body', body) }),
      signal: io.signal,
    });
    if (response.body instanceof Blob) {
      const bytes = Buffer.from(await response.body.arrayBuffer());
      if (io.outIsTerminal)
        throw new CommandError('The response is a file. Redirect it: weft api … > FILE', EXIT.usage);
      io.out(bytes);
    } else io.out(`${plainJson(response.body, 2)}\n`);
    return EXIT.success;
  },
};
