import type { ImageFile } from './image-file.ts';
import { nodeProgram } from './node-files.ts';
import { programFolder } from './program-folder.ts';

/** What operators call the programs, and the words after `zun` that each stands for, as in `bin/`. */
const commands: Record<string, string[]> = {
  zun: [],
  'zun-api': ['api'],
  'zun-compute': ['compute'],
  'zun-compute-agent': ['agent'],
  'zun-wsproxy': ['wsproxy'],
  'zun-db-manage': ['db-manage'],
  'zun-status': ['status'],
};

/** The programs as commands of the image. Not the scripts of `bin/`: an image needs no shell. */
export const commandFiles: ImageFile[] = Object.entries(commands).map(([name, words]) => ({
  path: `/usr/local/bin/${name}`,
  mode: 0o755,
  content: { text: launcher(words) },
}));

function launcher(words: string[]): string {
  const lines = [
    `#!${nodeProgram} --disable-warning=ExperimentalWarning`,
    ...(words.length > 0 ? [`process.argv.splice(2, 0, ${words.map((word) => `'${word}'`).join(', ')});`] : []),
    `await import('${programFolder}/src/programs/cli.ts');`,
  ];
  return `${lines.join('\n')}\n`;
}
