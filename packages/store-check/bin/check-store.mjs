import { bootstrap } from '../../local-stack/bin/bootstrap.mjs';

await bootstrap('packages/store-check/dist/src/check-store.js');
