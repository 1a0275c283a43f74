import { modulesIn } from './go-install';

describe('modulesIn', () => {
  it('names the folders of the main module, the others and replacements in the module cache', () => {
    const contents = [
      'ferretdb: go1.26.8',
      '\tpath\tgithub.com/FerretDB/FerretDB/v2/cmd/ferretdb',
      '\tmod\tgithub.com/FerretDB/FerretDB/v2\tv2.7.0\th1:abc=',
      '\tdep\tgo.yaml.in/yaml/v2\tv2.4.3\th1:def=',
      '\t=>\texample.org/fork\tv1.0.0\th1:ghi=',
      '\tbuild\t-trimpath=true',
    ];
    expect(modulesIn(contents.join('\n'))).toEqual([
      'github.com/!ferret!d!b/!ferret!d!b/v2@v2.7.0',
      'go.yaml.in/yaml/v2@v2.4.3',
      'example.org/fork@v1.0.0',
    ]);
  });
});
