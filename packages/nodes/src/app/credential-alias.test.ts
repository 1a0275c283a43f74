import { checkAppDocument } from '@weft/app-model/document';
import type { AppDocument } from '@weft/app-model';
import { kindsOf } from '@weft/app-model/kinds';
import type { JsonObject } from '@weft/node-catalogue';
import type { OutboundHttp } from '@weft/outbound';
import { runAppKind } from './testing/run-app';

/** An app whose nodes name credentials by a type that Weft does not have. */
const document = (as: string, type = 'pagesApi'): JsonObject => ({
  weftApp: 1,
  name: 'pages',
  label: 'Pages',
  hosts: ['pages.example.com'],
  credentials: { [type]: { as } },
  calls: { api: { url: 'https://pages.example.com' } },
  kinds: {
    pages: {
      label: 'Pages',
      description: 'Reads pages.',
      versions: [1],
      groups: ['input'],
      credentials: [{ type }],
      parameters: [],
      operations: { default: { call: 'api', path: '/' } },
    },
  },
});

const appWith = (as: string): AppDocument => {
  const checked = checkAppDocument(document(as));
  if (checked.kind !== 'app') throw new Error(JSON.stringify(checked.problems));
  return checked.app;
};

const problemsOf = (as: string, type?: string): readonly string[] => {
  const checked = checkAppDocument(document(as, type));
  return checked.kind === 'app' ? [] : checked.problems.map(({ path, message }) => `${path}: ${message}`);
};

const run = async (as: string, credential: JsonObject) => {
  const seen: (readonly [string, string])[] = [];
  const http: OutboundHttp = {
    request: async ({ url, headers = [] }) => {
      seen.push(...headers);
      return { status: 200, statusText: '', headers: {}, body: Buffer.from(JSON.stringify({ headers })), url };
    },
  };
  const result = await runAppKind({ app: appWith(as), http, credential });
  return { result, headers: new Map(seen.map(([name, value]) => [name.toLowerCase(), value])) };
};

describe('a credential type that stands for another one', () => {
  it('is described with that one', () => {
    expect(kindsOf(appWith('httpBearerAuth'))).toMatchObject([
      { credentials: [{ type: 'pagesApi', storedType: 'httpBearerAuth', required: true }] },
    ]);
  });

  it('is applied as that one, and its secret is masked', async () => {
    const bearer = await run('httpBearerAuth', { token: 'a-secret-of-pages' });
    expect(bearer.headers.get('authorization')).toBe('Bearer a-secret-of-pages');
    expect(bearer.result.error).toBeUndefined();
    expect(JSON.stringify(bearer.result)).not.toContain('a-secret-of-pages');
    const header = await run('httpHeaderAuth', { name: 'X-Key', value: 'another-secret' });
    expect(header.headers.get('x-key')).toBe('another-secret');
  });

  it('may stand for a type that needs no more than its fields, and not be one of the catalogue', () => {
    expect(problemsOf('httpBearerAuth')).toEqual([]);
    for (const as of ['oAuth2Api', 'postgres', 'googleApi', 'noSuchApi', 'constructor'])
      expect(problemsOf(as)).toEqual([
        expect.stringMatching(/^credentials\.pagesApi\.as: It must be a type such as .*httpHeaderAuth/),
      ]);
    expect(problemsOf('httpBearerAuth', 'slackApi')).toEqual([
      'credentials.slackApi: The type is of the catalogue, and cannot stand for another one.',
    ]);
  });
});
