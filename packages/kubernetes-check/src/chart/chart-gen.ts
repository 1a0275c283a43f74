import { CHART, writeChart } from './make-chart';

/** `npm run chart:gen`: writes the generated files of the Helm chart. */
writeChart(process.argv[2] ?? CHART);
