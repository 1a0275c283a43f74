import { bootstrap } from '../../local-stack/bin/bootstrap.mjs';

await bootstrap('packages/release/dist/src/release-main.js');
