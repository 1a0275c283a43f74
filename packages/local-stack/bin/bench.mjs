import { bootstrap } from './bootstrap.mjs';

await bootstrap('packages/bench/dist/src/main.js');
