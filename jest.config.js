'use strict';

/*
 * The tests run as compiled by `tsc -b`: nothing is transformed. One project per layer:
 *   unit     nothing outside the process
 *   service  one process of ours against a real MongoDB and NATS (MONGODB_URI, NATS_URL)
 *   e2e      all processes
 * `npm test` sets those servers up and runs the three in this order.
 */
const common = {
  rootDir: __dirname,
  testEnvironment: '<rootDir>/packages/local-stack/jest/main-context.cjs',
  runtime: '<rootDir>/packages/local-stack/jest/shared-packages.cjs',
  transform: {},
  moduleFileExtensions: ['js', 'json', 'node'],
  haste: { enableSymlinks: false },
  modulePathIgnorePatterns: ['<rootDir>/\\.weft/', '<rootDir>/.*/src/.*\\.ts$'],
  testPathIgnorePatterns: ['/node_modules/'],
  setupFilesAfterEnv: ['<rootDir>/packages/local-stack/jest/time-limit.cjs'],
};

// a limit ends what hangs and judges nothing: it is far above what a test takes on a busy machine
const layer = (displayName, timeLimitMs, ...patterns) => ({
  ...common,
  displayName,
  globals: { TEST_TIME_LIMIT_MS: timeLimitMs },
  testMatch: patterns.map((pattern) => `<rootDir>/${pattern}`),
});

module.exports = {
  rootDir: __dirname,
  watchman: false,
  testSequencer: '<rootDir>/packages/local-stack/jest/story-order.cjs',
  projects: [
    layer('unit', 60_000, '{packages,services}/*/dist/src/**/*.test.js', 'proto/dist/**/*.test.js'),
    layer('service', 120_000, '{packages,services}/*/dist/test/**/*.test.js'),
    layer('e2e', 300_000, 'e2e/dist/**/*.test.js'),
  ],
};
