import { credentials } from '@grpc/grpc-js';
import { HealthClient } from '@weft/proto/health';
import express from 'express';
import type { AddressInfo } from 'node:net';

const client = new HealthClient(process.argv[2] ?? '', credentials.createInsecure());
const app = express();
app.disable('x-powered-by');
app.disable('etag');
app.get('/', (_, response) => {
  client.check({ service: 'liveness' }, (error, health) => {
    if (error === null) response.json({ status: health.status });
    else response.status(500).end();
  });
});
const server = app.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
