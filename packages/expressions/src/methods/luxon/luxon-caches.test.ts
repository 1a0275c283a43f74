import { Settings } from 'luxon';
import { bodyValue } from '../../testing/fixed-scope';

describe('the caches of luxon', () => {
  it('are emptied before strings from outside have filled them', () => {
    const reset = jest.spyOn(Settings, 'resetCaches');
    try {
      for (let index = 0; index < 600; index += 1) bodyValue(`$now.setLocale("en-x-${index}a").locale`);
      expect(reset).toHaveBeenCalledTimes(1);
    } finally {
      reset.mockRestore();
    }
  });

  it('are not emptied by calls that name the same few variants', () => {
    const reset = jest.spyOn(Settings, 'resetCaches');
    try {
      for (let index = 0; index < 600; index += 1)
        bodyValue(`$now.plus({ days: ${index} }).setZone("Asia/Tokyo").setLocale("fr").toFormat("d")`);
      expect(reset).not.toHaveBeenCalled();
    } finally {
      reset.mockRestore();
    }
  });
});
