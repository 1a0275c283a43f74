export { NODE_REGISTRY } from './registry';
