import { engineRows } from '../engine/measure-engine';
import { LOADS } from '../loads';
import { CPU, type BenchResult, type FigureResult, type LoadResult } from '../result';
import type { Subject } from '../stacks/subject';
import { ms, ofCeiling, rate, ratioText, spreadText, valueText } from './numbers';
import { formatTable, type Row } from './table';

/** CPU of a process below this share of the whole is left out of the text. */
const LEAST_SHARE = 0.005;

const labelOf = ({ key, label }: FigureResult, per: LoadResult['per']): string => {
  if (key === CPU) return `  CPU of a ${per}`;
  return key.startsWith(`${CPU}.`) ? `    ${label}` : `  ${label}`;
};

const isShown = ({ key }: FigureResult, { subjects }: LoadResult): boolean =>
  !key.startsWith(`${CPU}.`) ||
  subjects.some(({ figures }) => {
    const of = (wanted: string): number => figures.find((each) => each.key === wanted)?.median ?? 0;
    return of(key) >= LEAST_SHARE * of(CPU);
  });

const ceilingNote = (load: LoadResult, { key, median }: FigureResult, { ceilings }: BenchResult): string => {
  const ceiling = LOADS.find(({ name }) => name === load.name)?.ceiling;
  if (key !== 'perSecond' || ceiling === undefined || ceilings === undefined) return '';
  return ofCeiling(median, ceilings[ceiling.of] / ceiling.needs, ceiling.text);
};

/** The union of the stacks' figures: replicas and older checkouts may have other processes. */
const figuresOf = ({ subjects }: LoadResult): FigureResult[] => {
  const byKey = new Map<string, FigureResult>();
  for (const { figures } of subjects) for (const each of figures) if (!byKey.has(each.key)) byKey.set(each.key, each);
  return [...byKey.values()];
};

const loadRows = (load: LoadResult, result: BenchResult): Row[] => {
  const failed = load.subjects
    .filter((each) => each.failed > 0)
    .map((each) => `${each.failed} of ${each.count} FAILED on ${each.subject}`);
  const rows = figuresOf(load)
    .filter((figure) => isShown(figure, load))
    .map((figure): Row => {
      const medians = load.subjects.map(({ figures }) => {
        const own = figures.find(({ key }) => key === figure.key);
        if (own === undefined) return '';
        return load.subjects.length === 1 ? spreadText(own, own.unit) : valueText(own.median, own.unit);
      });
      const ratios = load.ratios.filter(({ key }) => key === figure.key).map(ratioText);
      return { cells: [labelOf(figure, load.per), ...medians, ...ratios], note: ceilingNote(load, figure, result) };
    });
  return [{ cells: [`${load.name}: ${load.title}`], note: failed.join(', ') }, ...rows];
};

const headerOf = (subjects: readonly Subject[], { reference }: BenchResult): Row => ({
  cells: [
    '',
    ...subjects.map(({ name }) => name),
    ...subjects
      .filter(({ name }) => name !== reference && reference !== undefined)
      .map(({ name }) => `${name} / ${reference}`),
  ],
});

const ceilingRows = ({ ceilings }: BenchResult): Row[] =>
  ceilings === undefined
    ? []
    : [
        { cells: ['parts measured individually'] },
        { cells: ['  store: single inserts, 20 at a time', rate(ceilings.storeSingle)] },
        { cells: ['  store: inserts in batches of 100', rate(ceilings.storeBatched)] },
        { cells: ['  one gRPC hop, 50 at a time', rate(ceilings.grpcHop)] },
        { cells: ['  Express with one gRPC hop, 50 connections', rate(ceilings.expressHop)] },
      ];

const memoryRows = (subjects: readonly Subject[], { memory }: BenchResult): Row[] => [
  { cells: ['resident memory before the loads, and after them'] },
  ...[...new Set(memory.map(({ process }) => process))].map((process) => ({
    cells: [
      `  ${process}`,
      ...subjects.map(({ name }) => {
        const own = memory.find((each) => each.subject === name && each.process === process);
        return own === undefined ? '' : `${valueText(own.idleMiB, 'MiB')}, ${valueText(own.afterMiB, 'MiB')}`;
      }),
    ],
  })),
];

const aboutStacks = (subjects: readonly Subject[]): string[] =>
  subjects.map(
    ({ name, about, folder, node, facts }) =>
      `${name}: ${about}, in ${folder}, Node ${node.version}, ready after ${ms(facts.readyMs)}`,
  );

/** The result for a person to read. */
export const textReport = (subjects: readonly Subject[], result: BenchResult): string =>
  [
    ...aboutStacks(subjects),
    '',
    formatTable([
      headerOf(subjects, result),
      ...ceilingRows(result),
      ...result.loads.flatMap((load) => loadRows(load, result)),
      ...(result.engine === undefined ? [] : [{ cells: ['engine alone'] }, ...engineRows(result.engine)]),
      ...memoryRows(subjects, result),
    ]),
  ].join('\n');
