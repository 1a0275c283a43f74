import { createServer } from 'node:http';

/** Stands in for the gateway in tests of the stack: ready, with empty lists. */
const server = createServer((request, response) => {
  response.statusCode = /^\/(readyz|api\/v1\/.*)$/.test(request.url ?? '') ? 200 : 404;
  response.end('{"data":[]}');
});
process.stdout.write(`${JSON.stringify({ level: 30, environment: process.env, nodeArgs: process.execArgv })}\n`);
server.listen(Number(process.env['PORT']), '127.0.0.1');
process.on('SIGTERM', () => {
  process.stdout.write(`${JSON.stringify({ level: 30, endedAt: process.hrtime.bigint().toString() })}\n`);
  process.exit(0);
});
