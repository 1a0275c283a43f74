import { bootstrap } from './bootstrap.mjs';

const program = process.argv.includes('--stored') ? 'stored/main.js' : 'main.js';
await bootstrap(`packages/bench/dist/src/${program}`);
