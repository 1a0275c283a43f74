import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { COMMANDS, GROUPS } from './commands/all';
import { runProgram } from './program';
import { EXIT } from './session/exit-code';

const EXECUTIONS = [
  { id: 'a', state: 'succeeded', modelUsage: { calls: 2, inputTokens: 900, outputTokens: 300, totalTokens: 1234 } },
  { id: 'b', state: 'succeeded' },
];

describe('the list of executions', () => {
  let server: Server;
  let url = '';
  beforeAll(async () => {
    server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ data: EXECUTIONS, nextCursor: null }));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const list = async (format: string): Promise<string> => {
    let out = '';
    const io = {
      env: { WEFT_URL: url, WEFT_API_KEY: 'key', WEFT_CONFIG: '/nonexistent/contexts.json' },
      outIsTerminal: false,
      inIsTerminal: false,
      out: (data: string | Uint8Array) => void (out += String(data)),
      err: () => undefined,
      readAll: () => '',
      askSecret: () => Promise.reject(new Error('no terminal')),
      signal: new AbortController().signal,
    };
    expect(await runProgram(io, COMMANDS, GROUPS, '1.2.3', ['execution', 'list', '-o', format])).toBe(EXIT.success);
    return out;
  };

  it('shows the tokens of models in the table', async () => {
    const [names = '', first = '', second = ''] = (await list('table')).split('\n');
    expect(names).toMatch(/TOKENS$/);
    expect(first).toMatch(/^a .* 1234$/);
    expect(second).not.toMatch(/\d/);
  });

  it('is the list of the API in other formats', async () => {
    expect(JSON.parse(await list('json'))).toEqual(EXECUTIONS);
  });
});
