import { deflateSync } from 'node:zlib';
import { BUSY, START } from './hostile-workflows';
import { chain, node, type NodeFile, type WorkflowFile } from './workflows';

const MIB = 1024 * 1024;

/** A page of a few hundred bytes, packed twice, with more spaces than a process for files may hold. */
const packedPdf = (): string => {
  const page = deflateSync(deflateSync(Buffer.alloc(320 * MIB, ' '), { level: 9 }), { level: 9 });
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<<>>>>',
  ].map((object, index) => `${index + 1} 0 obj ${object} endobj\n`);
  const stream = `4 0 obj <</Length ${page.length}/Filter[/FlateDecode/FlateDecode]>> stream\n`;
  const end = '\nendstream endobj\ntrailer <</Root 1 0 R>>';
  return Buffer.concat([Buffer.from(`%PDF-1.4\n${objects.join('')}${stream}`), page, Buffer.from(end)]).toString(
    'base64',
  );
};

const code = (name: string, jsCode: string): NodeFile => node(name, 'code', 2, 200, { jsCode });
const set = (expression: string): NodeFile =>
  node('Set', 'set', 3.4, 400, {
    mode: 'manual',
    options: {},
    assignments: { assignments: [{ id: 'a', name: 'found', type: 'string', value: `={{ ${expression} }}` }] },
  });
const behindStart = (name: string, ...nodes: readonly NodeFile[]): WorkflowFile => chain(name, [START, ...nodes]);

/** Workflows that exhaust the thread of a runner, a parser or a sandbox, each up to its limit. */
export const EXHAUSTING: readonly WorkflowFile[] = [
  behindStart('busy', code('Many', 'return Array.from({ length: 3000 }, (_, n) => ({ json: { n } }))'), set(BUSY)),
  behindStart('dates', set('DateTime.fromFormat("1".repeat(60) + "x", "uyuyuyuyuyuyuyuy")')),
  behindStart('hungry', code('Eat', 'const kept = []; for (;;) kept.push(Array(4096).fill([]))')),
  behindStart('endless', code('Loop', 'for (;;) {}')),
  behindStart(
    'pdf',
    code('Text', `return [{ json: { data: '${packedPdf()}' } }]`),
    node('File', 'convertToFile', 1.1, 400, { operation: 'toBinary', sourceProperty: 'data', options: {} }),
    node('Bomb', 'extractFromFile', 1, 600, { operation: 'pdf', binaryPropertyName: 'data', options: {} }),
  ),
  behindStart(
    'selector',
    code('Page', "return [{ json: { data: '<div>'.repeat(400) + '</div>'.repeat(400) } }]"),
    node('Bomb', 'html', 1.2, 400, {
      operation: 'extractHtmlContent',
      extractionValues: {
        values: [{ key: 'k', cssSelector: `${'div:has('.repeat(5)}p${')'.repeat(5)}`, returnValue: 'text' }],
      },
      options: {},
    }),
  ),
];
