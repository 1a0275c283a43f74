'use strict';

/*
 * The tests run as compiled by `tsc -b`: nothing is transformed. One project per layer:
 *   unit     nothing outside the process
 *   service  one service against a real MongoDB and NATS (MONGODB_URI, NATS_URL)
 *   e2e      all processes
 * `npm test` sets those servers up and runs the three in this order. Each layer has a second project, unit-long,
 * service-long and e2e-long, with its files named *.long.test.ts: `npm run test:long` runs those.
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

// a limit ends tests that hang and judges nothing: it is far above the time of a test on a busy machine
const layer = (name, timeLimitMs, ...folders) => {
  const project = { ...common, globals: { TEST_TIME_LIMIT_MS: timeLimitMs } };
  const filesOf = (ending) => folders.map((folder) => `<rootDir>/${folder}/**/${ending}`);
  return [
    { ...project, displayName: name, testMatch: [...filesOf('*.test.js'), '!**/*.long.test.js'] },
    { ...project, displayName: `${name}-long`, testMatch: filesOf('*.long.test.js') },
  ];
};

module.exports = {
  rootDir: __dirname,
  watchman: false,
  testSequencer: '<rootDir>/packages/local-stack/jest/story-order.cjs',
  projects: [
    ...layer('unit', 60_000, '{packages,services}/*/dist/src', 'proto/dist'),
    ...layer('service', 120_000, '{packages,services}/*/dist/test'),
    ...layer('e2e', 300_000, 'e2e/dist'),
  ],
};
