import { bootstrap } from './bootstrap.mjs';

await bootstrap('packages/local-stack/dist/src/commands/start-main.js');
