import { Server, ServerCredentials } from '@grpc/grpc-js';
import { HealthCheckResponse_ServingStatus as Serving, HealthService } from '@weft/proto/health';

/**
 * Stands in for a service in tests of the stack: healthy on its PORT. Its log shows its environment, the options of
 * Node and when it was asked to end.
 */
const server = new Server();
server.addService(HealthService, {
  check: (_call: unknown, answer: (error: null, response: { status: Serving }) => void) =>
    answer(null, { status: Serving.SERVING }),
  watch: () => undefined,
});
process.stdout.write(`${JSON.stringify({ level: 30, environment: process.env, nodeArgs: process.execArgv })}\n`);
if (process.env['STAND_IN_FAULT'] !== undefined) {
  process.stderr.write(`${process.env['STAND_IN_FAULT']}\n`);
  process.exit(3);
}
server.bindAsync(`127.0.0.1:${process.env['PORT']}`, ServerCredentials.createInsecure(), () => undefined);
process.on('SIGTERM', () => {
  process.stdout.write(`${JSON.stringify({ level: 30, endedAt: process.hrtime.bigint().toString() })}\n`);
  process.exit(0);
});
