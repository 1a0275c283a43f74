import { bootstrap } from './bootstrap.mjs';

await bootstrap('packages/chaos/dist/src/main.js');
