'use strict';

// jest reads the time limit of a test from its global settings alone; the layers of jest.config.js pass theirs here
jest.setTimeout(TEST_TIME_LIMIT_MS);
