export * from './thread-turns';
