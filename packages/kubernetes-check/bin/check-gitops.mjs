import { bootstrap } from '../../local-stack/bin/bootstrap.mjs';

await bootstrap('packages/kubernetes-check/dist/src/gitops/check-gitops.js');
