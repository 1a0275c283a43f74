// What the compiler cannot say: layers, floating promises, the one place for the environment, the one way out.
import tseslint from 'typescript-eslint';

const typescript = ['**/*.ts'];
const tests = ['**/*.test.ts', '**/test/**/*.ts', 'e2e/**/*.ts', 'packages/local-stack/**/*.ts', 'packages/bench/**/*.ts', 'packages/service-kit/src/testing/**/*.ts'];

const forbid = (message, ...group) => ({ group, message });
const TRANSPORTS = ['@grpc/*', 'express', 'mongoose', 'nats', 'opossum', 'pino', '@weft/proto/*', '@weft/service-kit/*', '!@weft/service-kit/errors', '!@weft/service-kit/ids', '!@weft/service-kit/json', '!@weft/service-kit/paging', '!@weft/service-kit/auth'];
const NETWORK = ['http', 'https', 'http2', 'net', 'tls', 'dgram', 'dns', 'node:http', 'node:https', 'node:http2', 'node:net', 'node:tls', 'node:dgram', 'node:dns', 'node:dns/*', 'undici'];
const PROCESSES = ['child_process', 'node:child_process', 'vm', 'node:vm', 'worker_threads', 'node:worker_threads'];

const layer = (folder, ...patterns) => ({
  files: [`services/*/src/${folder}/**/*.ts`],
  ignores: tests,
  rules: { 'no-restricted-imports': ['error', { patterns }] },
});

export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', 'proto/gen/**', '.weft/**', '**/*.js', '**/*.mjs', 'services/gateway/web/**'] },
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
      'max-lines': ['error', { max: 300 }],
      'no-restricted-properties': ['error', { object: 'process', property: 'env', message: 'Configuration is read by service-kit/config alone.' }],
      'no-restricted-globals': ['error', { name: 'fetch', message: 'Requests to the outside go through the outbound client.' }],
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true, named: true, defaultFrom: true, namedFrom: true, namespaceFrom: true } }],
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
  layer('domain', forbid('The domain knows no transport and no store.', ...TRANSPORTS), forbid('The domain does no I/O.', ...NETWORK, ...PROCESSES), forbid('The domain imports no other layer.', '**/handlers/**', '**/store/**', '**/clients/**', '**/messaging/**', '**/jobs/**')),
  layer('store', forbid('A store knows neither wire nor callers.', '@grpc/*', 'express', 'nats', '@weft/proto/*', '**/handlers/**', '**/clients/**')),
  layer('clients', forbid('A client knows neither handlers nor stores.', 'mongoose', '**/handlers/**', '**/store/**')),
  layer('messaging', forbid('A messenger knows neither handlers nor stores.', 'mongoose', '**/handlers/**', '**/store/**')),
  layer('handlers', forbid('A handler translates; it does not touch the store.', 'mongoose', '**/store/**')),
  layer('jobs', forbid('A job gets what it needs as parameters.', 'mongoose', '@grpc/*', 'nats', 'express', '@weft/proto/*')),
  {
    files: ['services/runner/src/domain/nodes/**/*.ts', 'services/runner/src/domain/engine/**/*.ts', 'services/runner/src/domain/expressions/**/*.ts'],
    ignores: tests,
    rules: { 'no-restricted-imports': ['error', { patterns: [forbid('The domain knows no transport and no store.', ...TRANSPORTS), forbid('The domain does no I/O.', ...NETWORK, ...PROCESSES, 'fs', 'node:fs', 'node:fs/*')] }] },
  },
  { files: ['packages/service-kit/src/{config,lifecycle}/**/*.ts'], rules: { 'no-restricted-properties': 'off' } },
  { files: tests, rules: { 'no-restricted-properties': 'off', 'no-restricted-globals': 'off' } },
);
