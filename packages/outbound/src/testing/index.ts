export { type Answer, type EchoServer, type SeenRequest, serveEcho } from './echo-server';
