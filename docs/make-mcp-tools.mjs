// Prints docs/mcp-tools.md from the tools of the gateway: npm run docs:mcp
import { createRequire } from 'node:module';

const { OWN_TOOLS } = createRequire(import.meta.url)('../services/gateway/dist/src/mcp/tool-list.js');

const typeOf = ({ type, enum: choices }) =>
  choices === undefined ? String(type ?? 'any') : choices.map((choice) => `\`${choice}\``).join(', ');

const cell = (text) => text.replaceAll('|', String.raw`\|`);

const kindOf = ({ readOnlyHint, destructiveHint, openWorldHint }) =>
  readOnlyHint ? 'reads' : openWorldHint ? 'runs nodes' : destructiveHint ? 'changes what exists' : 'adds';

const sectionOf = ({ name, title, description, inputSchema, annotations }) => {
  const required = inputSchema.required ?? [];
  const rows = Object.entries(inputSchema.properties).map(
    ([argument, schema]) =>
      `| \`${argument}\`${required.includes(argument) ? ', required' : ''} | ${typeOf(schema)} ` +
      `| ${cell(schema.description ?? '')} |`,
  );
  return [
    `## ${name}`,
    '',
    `${title}: ${kindOf(annotations)}. ${description}`,
    '',
    '| argument | type | meaning |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
};

process.stdout.write(
  [
    '# MCP tools',
    '',
    '<!-- Made by docs/make-mcp-tools.mjs. -->',
    '',
    'The tools that every instance offers at `/mcp`, as clients see them. Workflows that are tools are listed after ' +
      'them: see [Use Weft from an AI assistant](guides/mcp.md).',
    '',
    ...OWN_TOOLS.map(({ tool }) => sectionOf(tool)),
  ].join('\n'),
);
