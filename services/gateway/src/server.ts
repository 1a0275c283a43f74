import { createTokenSigner } from '@weft/service-kit/auth';
import { type RunningService, unmetConditions } from '@weft/service-kit/lifecycle';
import type { Logger } from '@weft/service-kit/logging';
import { compareSettings, sharedSettingsOf } from '@weft/service-kit/shared-settings';
import { join } from 'node:path';
import { createIngressHost, leadToIngressHost } from './ingress/ingress-host';
import { serveChatFiles } from './ingress/chat/chat-page';
import { serveFormFiles } from './ingress/forms/page-shell';
import { createFormReceiver } from './ingress/forms/receive-form';
import { createFormWaitingReceiver } from './ingress/forms/receive-form-waiting';
import { createWaitingReceiver } from './ingress/webhooks/receive-waiting';
import { createMcpReceiver } from './ingress/mcp/receive-mcp';
import { createTestReceiver } from './ingress/webhooks/receive-test';
import { createWebhookReceiver } from './ingress/webhooks/receive-webhook';
import { createClients } from './clients';
import { table, type GatewayConfig } from './config';
import { EndpointNotFound } from './errors';
import { CONSOLE_PATHS, createConsole } from './console/console-app';
import { createSettingsApp, SETTINGS_PATHS } from './console/settings-app';
import { createApi } from './handlers/api';
import { REST_PATHS } from './handlers/routes';
import { createReference } from './handlers/reference/serve-reference';
import { startHttpServer } from './http-server';
import { createMcpApp, MCP_PATH } from './mcp/mcp-app';
import { checkProtocol } from './middleware/check-protocol';
import { ClientCpu } from './middleware/limits/client-cpu';
import { countingFor } from './middleware/bodies/count-continuations';
import { writeError } from './middleware/responses/error-response';
import { warnAboutProxies } from './middleware/client-origin';
import { isReturn, leadToConsole } from './oauth2/lead-to-console';
import { bodyBudgetMb } from './middleware/bodies/body-budget';
import { createBodyReaders } from './middleware/bodies/read-body';
import { assignRequestId, createUnderWay } from './middleware/limits/time-limit';
import { timeRequests } from './observing/request-metrics';
import { createProbes } from './probes';
import { createUploadGates } from './uploads/store-file';

const WEB_FOLDER = join(__dirname, '../../web');

/** Maximum concurrent requests with files: each holds parts of them and its strings, 8 MB at most. */
const MAX_UPLOADS = 32;
/** Maximum of these per client block. */
const MAX_UPLOADS_OF_CLIENT = 8;

/**
 * Creates and starts the gateway: webhooks first, on the shortest path; then the console, the probes and the API.
 */
export const createServer = async (settings: GatewayConfig, logger: Logger): Promise<RunningService> => {
  const sign = createTokenSigner('gateway', () => settings.serviceKey);
  const clients = createClients(settings, sign);
  const bodyMemoryMb = settings.bodyMemoryMb === 0 ? bodyBudgetMb(process.constrainedMemory()) : settings.bodyMemoryMb;
  const bodies = createBodyReaders(bodyMemoryMb * 1_000_000, settings);
  const gateOf = createUploadGates(MAX_UPLOADS, MAX_UPLOADS_OF_CLIENT, settings);
  const underWay = createUnderWay();
  const headerPolicy = {
    isOwnHost: settings.webhookHost !== '',
    permitted: new Set(settings.webhookResponseHeaders.map((name) => name.toLowerCase())),
  };
  const parts = { ...settings, clients, logger, readBody: bodies.ingress, gateOf, underWay, headerPolicy };
  const servedOf = createIngressHost(settings.webhookHost);
  const ignoredForwards = warnAboutProxies(settings, logger);
  const clientCpu = new ClientCpu();
  const api = createApi({ ...parts, readBody: bodies.key });
  const ingress = { ...parts, ...countingFor(clientCpu, parts), clientCpu };
  const receiveWebhook = createWebhookReceiver(ingress);
  const receiveTest = createTestReceiver(ingress);
  const receiveWaiting = createWaitingReceiver(ingress);
  const receiveForm = createFormReceiver(ingress);
  const receiveFormWaiting = createFormWaitingReceiver(ingress);
  const receiveMcp = createMcpReceiver(ingress, () => settings.serviceKey);
  const serveConsole = settings.console === 'on' ? createConsole({ ...parts, readBody: bodies.session }) : undefined;
  const home = serveConsole === undefined ? '/docs/' : '/console/';
  const settingsApp = createSettingsApp({ ...parts, readBody: bodies.session, home });
  const mcp = createMcpApp({ ...parts, readBody: bodies.key });
  const serveReference = createReference(WEB_FOLDER);
  const comparison = compareSettings({
    service: 'gateway',
    settings: sharedSettingsOf(table, settings),
    peers: { credentials: settings.credentialsTarget, executions: settings.executionsTarget },
    sign,
    logger,
  });
  const probes = createProbes(comparison.isReady, () => unmetConditions().length === 0);
  const server = await startHttpServer(
    settings,
    logger,
    timeRequests([...REST_PATHS, ...SETTINGS_PATHS, ...CONSOLE_PATHS, MCP_PATH], (request, response) => {
      const path = request.url ?? '/';
      ignoredForwards(request);
      try {
        checkProtocol(request);
      } catch (error) {
        assignRequestId(request, response);
        response.setHeader('connection', 'close');
        return writeError(response, error, logger);
      }
      const served = servedOf(request);
      if (served === 'moved') leadToIngressHost(request, response, settings.webhookHost);
      else if (served === 'nothing') {
        if (probes.answer(path, response)) return;
        assignRequestId(request, response);
        writeError(response, new EndpointNotFound(request.method ?? 'GET', path.split('?')[0] ?? path, []), logger);
      } else if (path.startsWith('/webhook/')) receiveWebhook(request, response);
      else if (path.startsWith('/webhook-test/')) receiveTest(request, response);
      else if (path.startsWith('/webhook-waiting/')) receiveWaiting(request, response);
      else if (path.startsWith('/form/')) receiveForm(request, response);
      else if (path.startsWith('/form-waiting/')) receiveFormWaiting(request, response);
      else if (path.startsWith('/mcp/')) receiveMcp(request, response);
      else if (path.startsWith('/form-files/')) serveFormFiles(request, response);
      else if (path.startsWith('/chat-files/')) serveChatFiles(request, response);
      else if (path === '/') response.writeHead(302, { location: home }).end();
      else if (/^\/settings(?:[/?]|$)/.test(path)) settingsApp(request, response);
      else if (serveConsole !== undefined && /^\/console(?:[/?]|$)/.test(path)) serveConsole(request, response);
      else if (serveConsole !== undefined && isReturn(request)) leadToConsole(request, response);
      else if (/^\/docs(?:[/?]|$)/.test(path)) serveReference(request, response);
      else if (/^\/mcp(?:\?|$)/.test(path)) {
        clientCpu.beginWithKey();
        mcp(request, response);
      } else if (!probes.answer(path, response)) {
        clientCpu.beginWithKey();
        api(request, response);
      }
    }),
  );
  probes.setReady(true);
  return {
    port: server.port,
    health: { isLive: () => true, isReady: () => Promise.resolve(probes.isReady()) },
    stop: async () => {
      probes.setReady(false);
      comparison.stop();
      await server.stop({ delayMs: settings.shutdownDelayMs, drainMs: settings.drainMs, underWay });
      clients.close();
    },
  };
};
