import { bootstrap } from '../../local-stack/bin/bootstrap.mjs';

await bootstrap('packages/upgrade-check/dist/src/main.js');
