// Rules that the compiler cannot check: layers, floating promises, the one place for the environment, the one way out.
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';
import { linearRegexp } from './linear-regexp.mjs';

const typescript = ['**/*.ts', '**/*.tsx'];
const tests = [
  '**/*.test.ts',
  '**/test/**/*.ts',
  'e2e/**/*.ts',
  'packages/local-stack/**/*.ts',
  'packages/kubernetes-check/**/*.ts',
  'packages/release/**/*.ts',
  'packages/upgrade-check/**/*.ts',
  'packages/bench/**/*.ts',
  'packages/chaos/**/*.ts',
  'services/*/bench/**/*.ts',
  'packages/*/src/testing/**/*.ts',
];

const forbid = (message, ...group) => ({ group, message });
const TRANSPORTS = [
  '@grpc/*',
  'express',
  'mongoose',
  'nats',
  'opossum',
  'pino',
  '@weft/service-kit/*',
  '!@weft/service-kit/errors',
  '!@weft/service-kit/limits',
  '!@weft/service-kit/ids',
  '!@weft/service-kit/json',
  '!@weft/service-kit/json-values',
  '!@weft/service-kit/paging',
  '!@weft/service-kit/caching',
  '!@weft/service-kit/in-flight',
  '!@weft/service-kit/auth',
  '!@weft/service-kit/content-types',
  '!@weft/service-kit/ownership',
  '!@weft/service-kit/packing',
  '!@weft/service-kit/visibility',
  '!@weft/service-kit/time-limit',
  '!@weft/service-kit/thread-turns',
  '!@weft/service-kit/text',
];
const NETWORK = [
  // Without the slash, the pattern would also cover folders of this name.
  '/http',
  'https',
  'http2',
  'net',
  'tls',
  'dgram',
  'dns',
  'node:http',
  'node:https',
  'node:http2',
  'node:net',
  'node:tls',
  'node:dgram',
  'node:dns',
  'node:dns/*',
  'undici',
];
const PROCESSES = ['child_process', 'node:child_process', 'vm', 'node:vm', 'worker_threads', 'node:worker_threads'];

/** Packages with all their entries. The patterns do not support braces. */
const ours = (...names) => names.map((name) => `@weft/${name}`);

const layer = (folder, ...patterns) => ({
  files: [`services/*/src/${folder}/**/*.ts`],
  ignores: tests,
  rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns }] },
});

const DOMAIN = [
  forbid('The domain knows no transport and no store.', ...TRANSPORTS),
  { ...forbid('The domain uses messages as types alone.', '@weft/proto/*'), allowTypeImports: true },
  forbid('The domain does no I/O.', ...NETWORK, ...PROCESSES),
  forbid(
    'The domain imports no other layer.',
    '**/handlers/**',
    '**/store/**',
    '**/clients/**',
    '**/messaging/**',
    '**/jobs/**',
  ),
];

/** Folders of a domain, the lowest first: each may import only those before it. */
const domainFolders = (service, ...folders) =>
  folders.slice(0, -1).map((folder, at) => ({
    files: [`services/${service}/src/domain/${folder}/**/*.ts`],
    ignores: tests,
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            ...DOMAIN,
            forbid('How owners share the thread is for adapters to say.', '@weft/service-kit/thread-turns'),
            {
              ...forbid('How owners share the thread is for adapters to say.', '@weft/service-kit/json'),
              importNames: ['readInTurns'],
            },
            forbid(
              'Folders of the domain import only those below them.',
              ...folders.slice(at + 1).map((above) => `**/${above}/*`),
            ),
          ],
        },
      ],
    },
  }));

const PURE = [
  forbid('This package knows no transport and no store.', ...TRANSPORTS),
  { ...forbid('This package uses messages as types alone.', '@weft/proto/*'), allowTypeImports: true },
  forbid('This package does no I/O.', ...NETWORK, ...PROCESSES, 'fs', 'node:fs', 'node:fs/*'),
];

/** The files of packages/nodes/tsconfig.descriptors.json. */
const DESCRIPTORS = [
  'packages/nodes/src/*/descriptor*.ts',
  'packages/nodes/src/langchain/**/descriptor*.ts',
  'packages/nodes/src/descriptors/**/*.ts',
  'packages/nodes/src/definitions/**/*.ts',
];

/** Work on untrusted data, which takes place in separate processes, and the parsers that it uses. */
const FORMAT_WORK = [
  'packages/nodes/src/shared/file-formats/{archives,calendars,csv,pdf,sheets,tar,texts,warm-up,work,formats-main}.ts',
  'packages/nodes/src/edit-image/program/{apply-step,colors,describe-image,fonts}.ts',
  'packages/nodes/src/edit-image/program/{image-work,images-main,magick,read-image}.ts',
  'packages/nodes/src/email-read-imap/read-mail-source.ts',
  'packages/nodes/src/html/extract-content.ts',
  'packages/nodes/src/markdown/{html-of-markdown,markdown-of-html}.ts',
  'packages/nodes/src/rss-feed-read/{read-feed,text-of-html,xml-element}.ts',
  'packages/nodes/src/xml/{json-to-xml,xml-to-json}.ts',
];
const PARSED_APART = {
  ...forbid(
    'Untrusted data is parsed in separate processes: see runFormatTask.',
    ...['@e965/xlsx', 'csv-parse', 'csv-parse/*', 'fflate', 'unpdf', 'ts-ics', 'cheerio', 'html-to-text', 'mailparser'],
    ...['markdown-it', 'node-html-markdown', 'xml2js', 'fast-xml-parser', 'entities'],
    ...['archives', 'calendars', 'csv', 'pdf', 'sheets', 'texts', 'warm-up', 'work'].map((name) => `**/${name}`),
    ...['**/extract-content', '**/html-of-markdown', '**/markdown-of-html', '**/read-feed', '**/text-of-html'],
    ...['@imagemagick/magick-wasm', '**/program/image-work', '**/program/magick', '**/program/read-image'],
    ...['**/read-mail-source', '**/xml-element', '**/json-to-xml', '**/xml-to-json'],
  ),
  allowTypeImports: true,
};

/** Limits the imports of a package of the runner. */
const wall = (name, patterns, ...ignores) => ({
  files: [`packages/${name}/src/**/*.ts`],
  ignores: [...tests, '**/testing/**', ...ignores],
  rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns }] },
});

/** Operators of the store in descriptions of conditions and changes. */
const OPERATORS = [
  ':matches(Property, TSPropertySignature)[key.name=/^\\$(?!case$)/]',
  ':matches(Property, TSPropertySignature)[key.value=/^\\$|\\.\\$(\\[|\\.|$)/]',
  'MemberExpression[property.name=/^\\$(?!case$)/]',
  'MemberExpression > Literal.property[value=/^\\$|\\.\\$(\\[|\\.|$)/]',
].map((selector) => ({
  selector,
  message: 'The domain describes conditions and changes; the store turns them into operators.',
}));

/** Durations by the wall clock, which may be set. A date made from it is not a duration. */
const DURATIONS = [
  ':not(NewExpression) > BinaryExpression > CallExpression[callee.object.name="Date"][callee.property.name="now"]',
].map((selector) => ({
  selector,
  message: 'Measure durations with performance.now(): the wall clock may be set. Convert with context/wall-time.',
}));

/** Files that compare the wall clock with a date from elsewhere. */
const COMPARES_WALL_CLOCKS = [
  'packages/service-kit/src/context/wall-time.ts',
  'packages/service-kit/src/metrics/process-metrics.ts',
  'packages/service-kit/src/mongo/connect.ts',
  'packages/service-kit/src/auth/{service-token,verify-user}.ts',
  'packages/service-kit/src/mutual-tls/certificates.ts',
  'services/gateway/src/http/session-cookie.ts',
  'services/runner/src/clients/instance-{credentials,workflows}.ts',
  'services/workflows/src/domain/route-leases.ts',
  'services/workflows/src/jobs/fire-due-schedules.ts',
];

export default tseslint.config(
  {
    ignores: [
      '**/dist/**',
      '**/node_modules/**',
      'proto/gen/**',
      'packages/client/src/api/**',
      'packages/cli/src/commands/nouns.gen.ts',
      'packages/apps/src/**/*.gen.ts',
      'packages/app-model/src/app-document.gen.ts',
      '.weft/**',
      '**/*.js',
      '**/*.mjs',
      'services/gateway/web/**',
    ],
  },
  {
    files: typescript,
    extends: [tseslint.configs.base],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error', noInlineConfig: true },
    rules: {
      eqeqeq: 'error',
      'no-eval': 'error',
      'no-new-func': 'error',
      'no-implied-eval': 'error',
      'no-var': 'error',
      'prefer-const': 'error',
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Configuration is read by service-kit/config alone.' },
      ],
      'no-restricted-globals': [
        'error',
        ...['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'].map((name) => ({
          name,
          message: 'Requests to the outside go through the outbound client.',
        })),
      ],
      'no-restricted-exports': [
        'error',
        {
          restrictDefaultExports: {
            direct: true,
            named: true,
            defaultFrom: true,
            namedFrom: true,
            namespaceFrom: true,
          },
        },
      ],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/ban-ts-comment': 'error',
    },
  },
  {
    files: ['services/runner/src/**/*.ts'],
    ignores: tests,
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [forbid('Requests to the outside go through the outbound client.', ...NETWORK)] },
      ],
    },
  },
  layer('domain', ...DOMAIN),
  ...domainFolders(
    'executions',
    ...['state', 'data', 'hold', 'claim', 'start', 'step', 'wait', 'read', 'end', 'retries'],
  ),
  ...domainFolders('runner', 'claims', 'memory', 'end', 'run'),
  {
    // Tests of the domain as well: they expect the description, not the query that it becomes. `$case` is the
    // discriminator of messages with a oneof.
    files: ['services/*/src/domain/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...OPERATORS] },
  },
  {
    files: ['packages/service-kit/src/**/*.ts', 'services/*/src/**/*.ts'],
    ignores: [...tests, ...COMPARES_WALL_CLOCKS],
    rules: { 'no-restricted-syntax': ['error', ...DURATIONS] },
  },
  {
    files: ['services/*/src/domain/**/*.ts'],
    ignores: [...tests, ...COMPARES_WALL_CLOCKS],
    rules: { 'no-restricted-syntax': ['error', ...OPERATORS, ...DURATIONS] },
  },
  layer(
    'store',
    forbid('Requests to the outside go through the outbound client.', ...NETWORK),
    forbid(
      'A store knows neither wire nor callers.',
      '@grpc/*',
      'express',
      'nats',
      '@weft/proto/*',
      '**/handlers/**',
      '**/clients/**',
    ),
  ),
  layer(
    'clients',
    forbid('Requests to the outside go through the outbound client.', ...NETWORK),
    forbid('A client knows neither handlers nor stores.', 'mongoose', '**/handlers/**', '**/store/**'),
  ),
  layer(
    'messaging',
    forbid('Requests to the outside go through the outbound client.', ...NETWORK),
    forbid('A messenger knows neither handlers nor stores.', 'mongoose', '**/handlers/**', '**/store/**'),
  ),
  layer('handlers', forbid('A handler translates; it does not touch the store.', 'mongoose', '**/store/**')),
  {
    // REST routes, the ingresses without an API key and the console are next to each other, above the code that
    // reads and writes HTTP.
    files: ['services/gateway/src/handlers/**/*.ts'],
    ignores: tests,
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            forbid('A handler translates; it does not touch the store.', 'mongoose', '**/store/**'),
            forbid('A handler serves a REST route alone.', '**/ingress/**', '**/uploads/**', '**/console/**'),
          ],
        },
      ],
    },
  },
  layer(
    'ingress',
    forbid('An ingress translates; it does not touch the store.', 'mongoose', '**/store/**'),
    forbid('An ingress has no part in the REST routes.', '**/handlers/**'),
  ),
  layer('console', forbid('The console has no part in the ingresses.', '**/ingress/**')),
  layer(
    '{http,middleware,uploads}',
    forbid('Reads and writes HTTP for every route alike.', '**/handlers/**', '**/ingress/**', '**/console/**'),
  ),
  layer(
    'jobs',
    forbid('Requests to the outside go through the outbound client.', ...NETWORK),
    forbid('A job gets what it needs as parameters.', 'mongoose', '@grpc/*', 'nats', 'express', '@weft/proto/*'),
  ),
  {
    files: typescript,
    ignores: [...tests, 'packages/nodes/src/*/cases.ts', 'packages/api-contract/**/*.ts'],
    plugins: { weft: { rules: { 'linear-regexp': linearRegexp } } },
    rules: { 'weft/linear-regexp': 'error' },
  },
  // Packages are entered by their public entries, and each knows only those below it.
  wall('expressions', [
    forbid('Expressions know nothing of runs.', ...ours('sandbox', 'outbound', 'engine', 'nodes')),
    ...PURE,
  ]),
  wall('workflow-edit', [
    forbid(
      'Edits know nothing of runs, and enter definitions without Node.',
      ...ours('sandbox', 'outbound', 'engine', 'nodes', 'proto', 'service-kit'),
    ),
    { regex: '^@weft/node-catalogue$', message: 'Browsers load @weft/node-catalogue/definitions.' },
    ...PURE,
  ]),
  wall('outbound', [
    forbid('The way out knows nothing of runs.', ...ours('expressions', 'sandbox', 'engine', 'nodes')),
  ]),
  wall('models', [
    forbid('Calls of models know nothing of runs.', ...ours('expressions', 'sandbox', 'engine', 'nodes')),
    ...PURE,
  ]),
  wall(
    'sandbox',
    [
      forbid('The sandbox knows nothing of runs.', ...ours('outbound', 'engine', 'nodes')),
      forbid('Requests to the outside go through the outbound client.', ...NETWORK),
    ],
    // Channels to its own processes.
    'packages/sandbox/src/fork/*.ts',
  ),
  wall('apply', [forbid('The planner knows only JSON and YAML.', '@weft/*'), ...PURE]),
  wall('cli', [
    forbid('The command line is a client of the API.', '@weft/*', '!@weft/client', '!@weft/apply', '!@weft/app-model'),
  ]),
  wall('mcp', [forbid('The protocol knows nothing of Weft.', '@weft/*'), ...PURE]),
  wall('app-model', [
    forbid(
      'The form of apps knows no node kind and no run.',
      ...ours('sandbox', 'outbound', 'engine', 'nodes', 'apps'),
    ),
  ]),
  wall('apps', [forbid('Apps are data.', ...ours('expressions', 'sandbox', 'outbound', 'engine', 'nodes'))]),
  wall('node-catalogue', [forbid('The form of definitions knows no node kind.', ...ours('nodes'))]),
  wall('engine', [forbid('The engine knows no node kind.', ...ours('nodes')), ...PURE]),
  wall(
    'nodes',
    [...PURE, PARSED_APART],
    ...FORMAT_WORK,
    ...DESCRIPTORS,
    'packages/nodes/src/edit-image/program/library-files.ts',
  ),
  {
    files: FORMAT_WORK,
    ignores: tests,
    rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns: PURE }] },
  },
  {
    // Code that every service may load: descriptors, and the reading of definitions with them.
    files: DESCRIPTORS,
    ignores: tests,
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            forbid(
              'Descriptors know nothing of runs.',
              ...ours('expressions', 'sandbox', 'outbound', 'engine', 'nodes'),
            ),
            forbid(
              'Descriptors import descriptors alone.',
              '**/executor',
              '**/executors/**',
              '**/cases',
              '**/shared/**',
              '**/testing/**',
            ),
            ...PURE,
          ],
        },
      ],
    },
  },
  {
    files: [
      'services/{gateway,workflows,executions,credentials}/src/**/*.ts',
      'packages/{service-kit,node-catalogue}/src/**/*.ts',
    ],
    ignores: tests,
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            forbid('Only the runner runs workflows.', ...ours('expressions', 'sandbox', 'outbound', 'engine')),
            forbid('Only the runner loads executors.', '@weft/nodes/*', '!@weft/nodes/descriptors'),
          ],
        },
      ],
    },
  },
  {
    // The unions in these switches are acorn's and the language's: the default handles everything that is not
    // supported.
    files: ['packages/{expressions,workflow-edit}/src/**/*.ts'],
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    },
  },
  {
    // The console runs in browsers: it calls the gateway that serves it, and nothing else (its policy enforces that).
    files: ['packages/console/src/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    rules: {
      ...reactHooks.configs.recommended.rules,
      // The timeline uses TanStack Virtual; the React Compiler, which this rule is about, is not used.
      'react-hooks/incompatible-library': 'off',
      'no-restricted-globals': 'off',
      'no-restricted-syntax': [
        'error',
        {
          selector: 'JSXAttribute[name.name="dangerouslySetInnerHTML"]',
          message: 'Names, items and errors are untrusted: show them as text.',
        },
      ],
    },
  },
  // The gateway's only request to the outside: to hosts that the operator names, which may be private ones.
  { files: ['services/gateway/src/sign-in/guarded-fetch.ts'], rules: { 'no-restricted-globals': 'off' } },
  // A program for people: it reads its environment and calls the address that it is given.
  {
    files: ['packages/cli/src/session/{io,session}.ts'],
    rules: { 'no-restricted-properties': 'off', 'no-restricted-globals': 'off' },
  },
  // A pipe between a runner and its child process, which is an open descriptor.
  { files: ['services/runner/src/pools/pools-of-runner.ts'], rules: { 'no-restricted-imports': 'off' } },
  // The interpreter's own == has to mean what == means, and the differential test compares with the real language.
  { files: ['packages/expressions/src/runtime/operators.ts'], rules: { eqeqeq: 'off' } },
  { files: ['packages/expressions/src/differential.test.ts'], rules: { 'no-new-func': 'off' } },
  { files: ['packages/service-kit/src/{config,lifecycle}/**/*.ts'], rules: { 'no-restricted-properties': 'off' } },
  {
    files: [...tests, 'packages/nodes/src/*/cases.ts'],
    rules: { 'max-lines': ['error', { max: 600, skipBlankLines: true, skipComments: true }] },
  },
  {
    files: tests,
    rules: {
      'no-restricted-properties': 'off',
      'no-restricted-globals': 'off',
    },
  },
);
