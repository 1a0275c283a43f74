#!/usr/bin/env node
// Prints docs/openapi.json from the route table of the built gateway: npm run docs:openapi
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { ROUTES } = require('../services/gateway/dist/src/handlers/routes.js');
const { makeDocument } = require('../services/gateway/dist/src/openapi/document.js');

process.stdout.write(`${JSON.stringify(makeDocument(ROUTES), null, 2)}\n`);
