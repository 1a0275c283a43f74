import type { ChildResult, NodePorts } from '@weft/engine';
import type { CaseExchange, KindCases } from '../../testing/cases/node-case';

const items = [{ input: 'Bern' }];
const WORKFLOW_VERSIONS = [1, 1.1, 1.2, 1.3, 2, 2.1, 2.2];

/** A called workflow that returns its input and its name. */
const echo: NodePorts['startChild'] = ({ input, workflow }): Promise<ChildResult> =>
  Promise.resolve({
    kind: 'finished',
    executionId: 'e2',
    items: input.map(({ json }) => ({ json: { ...json, by: 'id' in workflow ? workflow.id : 'given' } })),
  });

export const toolWorkflowCases: KindCases = {
  kind: 'langchain.toolWorkflow',
  cases: [
    {
      it: 'gives the result of a stored workflow',
      versions: WORKFLOW_VERSIONS,
      run: { items, startChild: echo, parameters: { workflowId: 'w2' } },
      gives: [[{ query: 'Bern', by: 'w2' }]],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'gives the result of a workflow in the node',
      versions: WORKFLOW_VERSIONS,
      run: {
        items,
        startChild: echo,
        parameters: { source: 'parameter', workflowJson: '{"nodes":[],"connections":{}}' },
      },
      gives: [[{ query: 'Bern', by: 'given' }]],
    },
    {
      it: 'needs a workflow',
      versions: WORKFLOW_VERSIONS,
      run: { items, startChild: echo, parameters: { workflowId: '' } },
      fails: 'No workflow is selected',
    },
  ],
};

export const toolCodeCases: KindCases = {
  kind: 'langchain.toolCode',
  cases: [
    {
      it: 'gives the text that the code returns',
      versions: [1, 1.1, 1.2, 1.3],
      run: { items, parameters: { jsCode: 'return query.toLowerCase()' } },
      gives: [[{ response: 'bern' }]],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'needs text as the result',
      versions: [1, 1.1, 1.2, 1.3],
      run: { items, parameters: { jsCode: 'return [query]' } },
      fails: 'a value of type object, not text',
    },
  ],
};

export const toolHttpRequestCases: KindCases = {
  kind: 'langchain.toolHttpRequest',
  cases: [
    {
      it: 'gives the response as text',
      versions: [1, 1.1],
      run: ({ url }) => ({ items: [{ city: 'Bern' }], parameters: { url: `${url}/{city}` } }),
      serverAnswers: { body: '21 C', type: 'text/plain' },
      gives: [[{ response: '21 C' }]],
      pairs: [[{ item: 0 }]],
      sends: { method: 'GET', path: '/Bern' },
    },
    {
      it: 'needs a value for each placeholder',
      versions: [1, 1.1],
      run: ({ url }) => ({ items: [{}], parameters: { url: `${url}/{city}` } }),
      fails: '"city" is required',
    },
  ],
};

export const toolCalculatorCases: KindCases = {
  kind: 'langchain.toolCalculator',
  cases: [
    {
      it: 'gives the result of a formula',
      versions: [1],
      run: { items: [{ input: '2 * (3 + 4)' }] },
      gives: [[{ response: '14' }]],
      pairs: [[{ item: 0 }]],
    },
    { it: 'needs a formula', versions: [1], run: { items }, fails: '"bern" is not expected there.' },
  ],
};

export const toolThinkCases: KindCases = {
  kind: 'langchain.toolThink',
  cases: [
    {
      it: 'gives the thought',
      versions: [1, 1.1],
      run: { items },
      gives: [[{ response: 'Bern' }]],
      pairs: [[{ item: 0 }]],
    },
    { it: 'needs a thought', versions: [1, 1.1], run: { items: [{}] }, fails: '"input" is required' },
  ],
};

const WIKIPEDIA = '/w/api.php?action=query&format=json';
const wikipedia = (query: string, response: unknown): CaseExchange => ({
  expect: { method: 'GET', host: 'en.wikipedia.org', path: `${WIKIPEDIA}&${query}` },
  response: { query: response },
});

export const toolWikipediaCases: KindCases = {
  kind: 'langchain.toolWikipedia',
  cases: [
    {
      it: 'gives the beginnings of the articles found',
      versions: [1],
      run: { items },
      exchange: [
        wikipedia('list=search&srsearch=Bern&srlimit=3', { search: [{ title: 'Bern' }, { title: 'Bern Bear' }] }),
        wikipedia('prop=extracts&explaintext=true&redirects=1&titles=Bern', {
          pages: { '1': { title: 'Bern', extract: 'A city.' } },
        }),
        wikipedia('prop=extracts&explaintext=true&redirects=1&titles=Bern%20Bear', {
          pages: { '2': { title: 'Bern Bear', extract: 'x'.repeat(5_000) } },
        }),
      ],
      gives: [[{ response: `# Bern\n\nA city.\n\n# Bern Bear\n\n${'x'.repeat(4_000)}`.slice(0, 4_000) }]],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'reports that there is no article',
      versions: [1],
      run: { items },
      exchange: [wikipedia('list=search&srsearch=Bern&srlimit=3', { search: [] })],
      gives: [[{ response: 'There is no article about this.' }]],
    },
    {
      it: 'fails if Wikipedia does not answer',
      versions: [1],
      run: { items },
      exchange: [{ expect: { host: 'en.wikipedia.org' }, response: 'busy', status: 503 }],
      fails: 'Service unavailable',
    },
  ],
};

const serp = { node: { credentials: { serpApi: { id: 'c', name: 'c' } } }, credential: { apiKey: 'serp-0123456789' } };
const search = (response: unknown, status = 200): CaseExchange => ({
  expect: { method: 'GET', host: 'serpapi.com' },
  response,
  status,
});

export const toolSerpApiCases: KindCases = {
  kind: 'langchain.toolSerpApi',
  cases: [
    {
      it: 'gives the answer of the search',
      versions: [1],
      run: { items, ...serp },
      exchange: [search({ answer_box: { answer: 'A city' } })],
      gives: [[{ response: 'A city' }]],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'reports that there is no result',
      versions: [1],
      run: { items, ...serp },
      exchange: [search({ error: 'No results for this query.' })],
      gives: [[{ response: 'No results for this query.' }]],
    },
    {
      it: 'fails for a key that the service refuses',
      versions: [1],
      run: { items, ...serp },
      exchange: [search({ error: 'Invalid API key.' }, 401)],
      fails: 'Authorization failed',
    },
  ],
};
