#!/usr/bin/env node
// Starts Weft @version@ on this machine, with its servers: node start.mjs [--verbose]
// Ports, folders and settings are environment variables; README.md lists the first ones to know.
const [major] = process.versions.node.split('.').map(Number);
if (major < 24) {
  console.error(`Weft needs Node 24 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}
process.env.BUILD_COMMIT ??= '@commit@';
await import('./packages/local-stack/dist/src/commands/start-main.js');
