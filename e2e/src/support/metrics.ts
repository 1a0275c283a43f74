/** One metric of a scrape. */
export interface Metric {
  readonly type: string;
  readonly help: string;
  /** Names of its labels, those of histograms' buckets aside; sorted. */
  readonly labels: readonly string[];
  /** Labels and value of each series; of a histogram, its counts. */
  readonly series: readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[];
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;

const labelsOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name = '', value = '']) => [name, value]),
  );

/** Parses the text that Prometheus reads. */
export const parseMetrics = (text: string): ReadonlyMap<string, Metric> => {
  const metrics = new Map<string, Metric>();
  const helps = new Map<string, string>();
  let current = '';
  for (const line of text.split('\n')) {
    const [, keyword, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (keyword === 'HELP') helps.set(name, rest);
    if (keyword === 'TYPE') {
      metrics.set(name, { type: rest, help: helps.get(name) ?? '', labels: [], series: [] });
      current = name;
    }
    const [, sample = '', labelText = '', value = ''] = LINE.exec(line) ?? [];
    const metric = metrics.get(current);
    if (metric === undefined || sample === '') continue;
    if (metric.type === 'histogram' && sample !== `${current}_count`) continue;
    const labels = labelsOf(labelText);
    metrics.set(current, {
      ...metric,
      labels: [...new Set([...metric.labels, ...Object.keys(labels)])].sort(),
      series: [...metric.series, { labels, value: Number(value) }],
    });
  }
  return metrics;
};

/** Reads the metrics of a process of this machine. */
export const scrape = async (port: number): Promise<ReadonlyMap<string, Metric>> => {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  if (answer.status !== 200) throw new Error(`the metrics on port ${port} were answered with ${answer.status}`);
  return parseMetrics(await answer.text());
};
