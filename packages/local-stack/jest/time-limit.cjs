'use strict';

// jest takes the time limit of a test from its global settings alone; the layers of jest.config.js hand theirs in here
jest.setTimeout(TEST_TIME_LIMIT_MS);
