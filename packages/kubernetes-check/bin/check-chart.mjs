import { bootstrap } from '../../local-stack/bin/bootstrap.mjs';

await bootstrap('packages/kubernetes-check/dist/src/chart-check/check-chart.js');
