import { deflateSync } from 'node:zlib';
import { chain, code, node, set } from '../../load/workflow-file';
import type { NodeFile } from '../../load/workflow-file';
import type { HostileLoad } from './hostile-loads';

/** An expression that takes most of its time limit. */
const BUSY = '(() => { for (let i = 0; i < 50000; i++) {} return "x" })()';

/** A format that can be read in more ways than could ever be tried. */
const DATES = 'DateTime.fromFormat("1".repeat(60) + "x", "uyuyuyuyuyuyuyuy")';

const MIB = 1024 * 1024;

/** A PDF of a few hundred bytes, packed twice, whose only page has more spaces than a process for files may hold. */
const packedPdf = (): string => {
  const content = deflateSync(deflateSync(Buffer.alloc(320 * MIB, ' '), { level: 9 }), { level: 9 });
  const head = [
    '%PDF-1.4',
    '1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj',
    '2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj',
    '3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<<>>>> endobj',
    `4 0 obj <</Length ${content.length}/Filter[/FlateDecode/FlateDecode]>> stream\n`,
  ];
  const end = '\nendstream endobj\ntrailer <</Root 1 0 R>>';
  return Buffer.concat([Buffer.from(head.join('\n')), content, Buffer.from(end)]).toString('base64');
};

/** A workflow that is started through the API every `everyMs` milliseconds. */
const exhausting = (name: string, everyMs: number, nodes: () => readonly NodeFile[]): HostileLoad => ({
  everyMs,
  kind: {
    name,
    weight: 0,
    start: { by: 'execute' },
    effects: 0,
    body: (n) => ({ n }),
    build: () => chain(name, [node('Start', 'manualTrigger', 1), ...nodes()], false),
  },
});

/** Loads that exhaust a parser, the thread of a runner, or the patience of the callers that wait behind them. */
export const EXHAUSTING: readonly HostileLoad[] = [
  exhausting('dates', 1_000, () => [set('Dates', 'found', `={{ ${DATES} }}`, 'string')]),
  exhausting('busy', 30_000, () => [
    code('Many', 'return Array.from({ length: 3000 }, (_, n) => ({ json: { n } }))'),
    set('Busy', 'found', `={{ ${BUSY} }}`, 'string'),
  ]),
  exhausting('pdf', 5_000, () => [
    code('Text', `return [{ json: { data: '${packedPdf()}' } }]`),
    node('File', 'convertToFile', 1.1, { operation: 'toBinary', sourceProperty: 'data', options: {} }),
    node('Bomb', 'extractFromFile', 1, { operation: 'pdf', binaryPropertyName: 'data', options: {} }),
  ]),
  exhausting('selector', 5_000, () => [
    code('Page', "return [{ json: { data: '<div>'.repeat(400) + '</div>'.repeat(400) } }]"),
    node('Bomb', 'html', 1.2, {
      operation: 'extractHtmlContent',
      dataPropertyName: 'data',
      extractionValues: {
        values: [{ key: 'k', cssSelector: `${'div:has('.repeat(5)}p${')'.repeat(5)}`, returnValue: 'text' }],
      },
      options: {},
    }),
  ]),
  exhausting('table', 5_000, () => [
    node('Bomb', 'markdown', 1, {
      mode: 'htmlToMarkdown',
      html: "={{ '<table>' + '<tr><td>a'.repeat(2000) }}",
      destinationKey: 'data',
      options: {},
    }),
  ]),
];
