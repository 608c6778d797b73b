import { dbManage } from './db-manage-command.ts';

process.exitCode = await dbManage(process.argv.slice(2), {
  out: (line) => process.stdout.write(`${line}\n`),
  error: (line) => process.stderr.write(`${line}\n`),
});
