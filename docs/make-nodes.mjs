#!/usr/bin/env node
// Prints docs/nodes.md from the catalogue of node kinds, their cases and docs/compatibility.md: npm run docs:nodes
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';

const require = createRequire(import.meta.url);
// cases hold matchers of jest; here they are counted, and nothing is compared with them
globalThis.expect = new Proxy({}, { get: () => () => undefined });
const { KIND_ALIASES } = require('../packages/node-catalogue/dist/src/index.js');
const { FILTER_OPERATIONS, KIND_TABLE } = require('../packages/nodes/dist/src/descriptors/index.js');
const { coverageOf } = require('../packages/nodes/dist/src/testing/cases/coverage.js');
const KINDS = [...KIND_TABLE.values()];

const GROUPS = [
  ['trigger', 'Triggers'],
  ['flow', 'Flow'],
  ['transform', 'Items'],
  ['input', 'Reading'],
  ['output', 'Sending'],
  ['annotation', 'Notes'],
  ['subNode', 'Sub-nodes'],
];
const code = (text) => `\`${text}\``;
const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const list = (values) =>
  values.map((value) => code(typeof value === 'string' ? value : JSON.stringify(value))).join(', ');
const range = ({ since, until }) =>
  since !== undefined && until !== undefined
    ? since === until
      ? `${since}`
      : `${since} to ${until}`
    : since !== undefined
      ? `from ${since}`
      : until !== undefined
        ? `to ${until}`
        : '';
const conditions = (shown, word) =>
  Object.entries(shown ?? {}).map(([name, values]) => `${code(name.replace(/^\//, ''))} ${word} ${list(values)}`);
const counts = (one) =>
  [range(one), ...conditions(one.shownWhen, 'is'), ...conditions(one.hiddenWhen, 'is not')]
    .filter((text) => text !== '')
    .join('; ');
const initial = ({ required, ...one }) => {
  if (one.default === undefined || one.default === '') return required ? '**required**' : '';
  const text = JSON.stringify(one.default);
  return text === '{}' || text === '[]' || one.type === 'fixedCollection'
    ? ''
    : code(typeof one.default === 'string' ? one.default.replaceAll('\n', ' ') : text);
};
const choice = (option) => {
  const when = range(option);
  const value = typeof option.value === 'string' ? option.value : JSON.stringify(option.value);
  const label = option.label.toLowerCase() === value.toLowerCase() ? '' : option.label;
  const notes = [label, when, option.refused === undefined ? '' : 'refused'].filter((text) => text !== '').join('; ');
  return `${code(value)}${notes === '' ? '' : ` (${notes})`}`;
};
const sentences = (one) =>
  [
    one.refused === undefined ? `${one.label}.` : `${one.label}: refused. ${one.refused}`,
    ...(one.help === undefined ? [] : [one.help]),
    ...(one.options === undefined ? [] : [`One of ${one.options.map(choice).join(', ')}.`]),
    ...(one.fixed === true ? ['No expression.'] : []),
  ].join(' ');

const rows = (parameters, prefix) =>
  parameters.flatMap((one) => {
    const name = `${prefix}${one.name}`;
    return [
      `| ${code(name)} | ${one.type} | ${cell(initial(one))} | ${cell(counts(one))} | ${cell(sentences(one))} |`,
      ...rows(one.fields ?? [], `${name}.`),
      ...(one.groups ?? []).flatMap((group) =>
        rows(group.fields, `${name}.${group.name}${one.multiple === true ? '[]' : ''}.`),
      ),
    ];
  });
const isSubNode = ({ provides = [], inputs, outputs }) =>
  provides.length > 0 && inputs.length === 0 && outputs.length === 0;
/** The sub-nodes that a kind uses, and the types that it provides as one. */
const attachments = ({ provides = [], accepts = [] }) => {
  const numbers = ({ required, max }) =>
    [...(required === true ? ['required'] : []), ...(max === undefined ? [] : [`at most ${max}`])].join(', ');
  const rule = (one) => [counts(one), numbers(one)].filter((text) => text !== '').join('; ');
  const shown = (one) => (rule(one) === '' ? code(one.type) : `${code(one.type)} (${rule(one)})`);
  return [
    ...(provides.length === 0 ? [] : [`A sub-node of type ${provides.map(shown).join(', ')}.`]),
    ...(accepts.length === 0 ? [] : [`Sub-nodes: ${accepts.map(shown).join('; ')}.`]),
  ];
};
const mainPorts = ({ inputs, outputs, isTrigger }) => [
  isTrigger ? 'A run can begin here.' : `Inputs: ${inputs.length === 0 ? 'none' : list(inputs)}.`,
  outputs.length === 0 ? 'No output.' : `Outputs: ${list(outputs)}.`,
];
const toolVersions = (use) => (range(use) === '' ? '' : `, versions ${range(use)}`);
const ends = ({ kind, inputs, outputs, ports = [], isTrigger, provides, accepts, usableAsTool }) =>
  [
    ...attachments({ provides, accepts }),
    ...(provides === undefined ? mainPorts({ inputs, outputs, isTrigger }) : []),
    ...(usableAsTool === undefined
      ? []
      : [`A tool for [models](models.md#tools) as ${code(`${kind}Tool`)}${toolVersions(usableAsTool)}.`]),
    ...ports.map((port) => {
      const when = counts(port) === '' ? 'always' : counts(port);
      const parts = [
        ...(port.inputs === undefined ? [] : [`inputs ${list(port.inputs)}`]),
        ...(port.outputs === undefined ? [] : [`outputs ${list(port.outputs)}`]),
        ...(port.inputsBy === undefined ? [] : [`as many inputs as ${code(port.inputsBy)} says`]),
        ...(port.outputsBy === undefined ? [] : [`as many outputs as ${code(port.outputsBy)} says`]),
      ];
      return `Versions and settings ${when}: ${parts.join(', ')}.`
        .replace('Versions and settings from', 'Versions from')
        .replace(/^Versions and settings (to|\d)/, 'Versions $1');
    }),
  ].join(' ');
const refusedChoices = (parameters) =>
  parameters.flatMap((one) => [
    ...(one.options ?? [])
      .filter((option) => option.refused !== undefined)
      .map((option) => `${code(one.name)} ${code(option.value)}: ${option.refused}`),
    ...refusedChoices(one.fields ?? []),
    ...(one.groups ?? []).flatMap((group) => refusedChoices(group.fields)),
  ]);
/** Results of comparisons with n8n for a kind, from the tables of docs/compatibility.md. */
const compatibility = readFileSync(new URL('compatibility.md', import.meta.url), 'utf8');
const rowsOf = (title) => {
  const [, after = ''] = compatibility.split(`\n## ${title}\n`);
  const [section = ''] = after.split('\n## ');
  return [...section.matchAll(/^\| (.*) \|$/gm)].map(([, row]) => row.split(/(?<!\\) \| ?/).map((text) => text.trim()));
};
const WORKFLOWS = rowsOf('Workflows compared with n8n');
const RESULTS = rowsOf('Results compared with n8n');
const compared = ({ kind }) => {
  const about = (rows) => rows.filter(([subject = '']) => subject.includes(code(kind)));
  const texts = [
    ...about(WORKFLOWS).map(([, versions, what]) => `workflows (version ${versions}): ${what}`),
    ...about(RESULTS).map(([subject, equal, of, differs = '']) => {
      const others = differs === '' ? '' : `; differences: ${differs}`;
      return `${equal} of ${of} results are equal (${subject})${others}`;
    }),
  ];
  return texts.length === 0
    ? ['Its results were not compared with those of n8n.', '']
    : ['Compared with n8n:', '', ...texts.map((text) => `- ${text}.`), ''];
};

/** Cases of each operation. A kind with a single operation has one row. */
const tested = (kind) => {
  const covered = coverageOf(kind);
  const rowOf = (operation) => {
    const own = covered.filter((one) => one.operation === operation);
    const sum = (count) => own.reduce((total, one) => total + count(one), 0);
    const cells = [
      operation === '' ? 'all' : code(operation),
      own.map(({ version }) => version).join(', '),
      sum(({ cases }) => cases),
      sum(({ failing }) => failing),
      own.every(({ hasServerTest }) => hasServerTest) ? 'yes' : '',
    ];
    return `| ${cells.join(' | ')} |`;
  };
  return [
    '| tested operation | versions | cases | of which fail | real server |',
    '|---|---|---|---|---|',
    ...[...new Set(covered.map(({ operation }) => operation))].map(rowOf),
    '',
  ];
};
const differences = (kind) => [...(kind.differs ?? []), ...new Set(refusedChoices(kind.parameters))];
const section = (kind) => [
  `### ${kind.label} (${code(kind.kind)})`,
  '',
  kind.description,
  '',
  `Versions: ${kind.versions.join(', ')}. ${ends(kind)}` +
    (kind.credentials.length === 0
      ? ''
      : ` Credentials: ${list([...new Set(kind.credentials.map((one) => one.type))])}.`),
  '',
  ...(differences(kind).length === 0
    ? []
    : ['Differences from n8n:', '', ...differences(kind).map((text) => `- ${text}`), '']),
  ...(kind.parameters.length === 0
    ? ['No parameters.', '']
    : [
        '| parameter | type | default | used with | meaning |',
        '|---|---|---|---|---|',
        ...rows(kind.parameters, ''),
        '',
      ]),
  ...(kind.neverRuns === true || isSubNode(kind) ? [] : [...tested(kind), ...compared(kind)]),
];

const aliases = Object.entries(KIND_ALIASES)
  .map(([older, kind]) => `The older name ${code(older)} means ${code(kind)}.`)
  .join(' ');
const operations = Object.entries(FILTER_OPERATIONS).map(
  ([type, all]) => `- ${type}: ${all.map(({ value }) => code(value)).join(', ')}.`,
);
const inGroup = (group) => KINDS.filter((kind) => (isSubNode(kind) ? 'subNode' : kind.groups[0]) === group);
const lines = [
  '# Node kinds',
  '',
  'Generated by `npm run docs:nodes` from the descriptors and cases in `packages/nodes`; a test fails if the ' +
    'page is out of date. `GET /api/v1/node-types` returns the same content as JSON.',
  '',
  `A node's \`type\` is \`<prefix>-nodes-base.<kind>\` with any prefix, so \`n8n-nodes-base.set\` and ` +
    `\`weft-nodes-base.set\` are the same. \`@n8n/n8n-nodes-langchain.<kind>\` is \`langchain.<kind>\`. ${aliases} ` +
    `Without a \`typeVersion\`, the workflow gets the version that ` +
    'is the newest when it is stored. The column "used with" lists the versions, and the values of other parameters, ' +
    'with which a parameter is used; otherwise the parameter is ignored. A parameter may contain an expression ' +
    'unless the table says otherwise.',
  '',
  'A workflow can be stored with any parameters. Activation and start refuse unknown kinds and versions, values ' +
    'that are not among the options, unknown or unsupported options, names that are misspelled by a letter or two, ' +
    'conditions with an operation that their type does not have, and missing values. Parameters of another ' +
    'operation or version, and names that no kind of n8n reads, are ignored.',
  '',
  'The last table of a kind counts its cases (runs of the node with given items in and out) for each operation and ' +
    'version, and how many of them show a failure. Each operation of each version also runs with hostile names, ' +
    'injections, oversized, missing and mistyped input, and each kind that uses a server runs against a dead, a ' +
    'silent and a very slow one; in each case, the node returns items or an error. The lines below the table repeat ' +
    'the results on the page [compatibility](compatibility.md).',
  '',
  ...GROUPS.flatMap(([group, title]) => [
    `- ${title}: ${inGroup(group)
      .map((kind) => code(kind.kind))
      .join(', ')}.`,
  ]),
  '',
  '## Conditions',
  '',
  'If, Filter and Switch compare by these operations, by the type of the first value:',
  '',
  ...operations,
  '',
  ...GROUPS.flatMap(([group, title]) => [`## ${title}`, '', ...inGroup(group).flatMap(section)]),
];
process.stdout.write(`${lines.join('\n').trimEnd()}\n`);
