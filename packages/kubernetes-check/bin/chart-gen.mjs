import { bootstrap } from '../../local-stack/bin/bootstrap.mjs';

const { CHART, writeChart } = await bootstrap('packages/kubernetes-check/dist/src/chart/make-chart.js');
writeChart(CHART);
