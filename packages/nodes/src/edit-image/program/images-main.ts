import { serveTasks } from '@weft/sandbox/program';
import { MAX_INPUT_BYTES, MAX_RESULT_BYTES } from '../../shared/file-formats/tasks';
import { doImageTask, loadImages } from './image-work';

void serveTasks({
  inputBytes: MAX_INPUT_BYTES,
  resultBytes: MAX_RESULT_BYTES,
  warmUp: loadImages,
  run: doImageTask,
});
