export { closeAfterEach, type CloseLater } from './close-after-each';
export { until } from './conditions';
export { fakeProjects, type FakeProjects } from './fake-projects';
export { startFakePeer, type FakePeer, type FakePeerOptions } from './fake-service';
export { makeTestKeys, type TestKeys } from './keys';
export { startProxy, type Proxy } from './proxy';
export { queueConsumer } from './queue-consumer';
export { keptLog, testLogger, type KeptLog } from './loggers';
export { dropDatabase, testMongodbUri, testNatsUrl, uniqueName } from './servers';
