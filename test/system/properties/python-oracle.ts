import { spawn } from 'node:child_process';
import { access, mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pythonEnvironment } from '../python-environment.ts';
import { runCommandWell } from '../run-command.ts';
import { testCache } from '../test-cache.ts';

const zun = 'zun==18.0.0';

/** Asks the libraries of the original, pinned, all questions in one process; `oracle.py` says what can be asked. */
export type PythonOracle = <Answers>(questions: Record<string, unknown[]>) => Promise<Answers>;

/** Installs the libraries once, in a cache outside the tree; of the original only its files, without what they import. */
export async function pythonOracle(): Promise<PythonOracle> {
  const requirements = path.join(import.meta.dirname, 'oracle-requirements.txt');
  const python = path.join(await pythonEnvironment('oracle', requirements), 'bin/python');
  const files = await originalsFiles(python);
  const environment = { ...process.env, PYTHONPATH: files, PYTHONDONTWRITEBYTECODE: '1' };
  return async (questions) => JSON.parse(await answerOf(python, JSON.stringify(questions), environment));
}

async function originalsFiles(python: string): Promise<string> {
  const folder = path.join(await testCache(), zun.replace('==', '-'));
  if (
    await access(folder).then(
      () => true,
      () => false,
    )
  )
    return folder;
  const part = await mkdtemp(`${folder}-part-`);
  await runCommandWell(python, ['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', part, zun]);
  await rename(part, folder).catch(() => rm(part, { recursive: true }));
  return folder;
}

function answerOf(python: string, questions: string, env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(python, [path.join(import.meta.dirname, 'oracle.py')], { env, stdio: ['pipe', 'pipe', 'pipe'] });
    const [out, error]: [string[], string[]] = [[], []];
    child.stdout.setEncoding('utf8').on('data', (text: string) => out.push(text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => error.push(text));
    child.on('error', reject).on('close', (code) => (code === 0 ? resolve(out.join('')) : reject(new Error(error.join('')))));
    child.stdin.end(questions);
  });
}
