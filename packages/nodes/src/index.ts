export { NODE_REGISTRY } from './executors';
