import { bootstrap } from './bootstrap.mjs';

await bootstrap('e2e/dist/src/docs/check-openapi.js');
