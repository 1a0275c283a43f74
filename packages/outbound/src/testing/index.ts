export { type Answer, type EchoServer, type SeenRequest, serveEcho } from './echo-server';
export { bodyOf, type LocalServer, serveHttp, serveTcp } from './local-server';
export { type ProxyServer, serveProxy } from './proxy-server';
