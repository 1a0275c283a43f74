import { bootstrap } from './bootstrap.mjs';

await bootstrap('e2e/dist/src/deploy/check-pods.js');
