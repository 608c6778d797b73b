import type { Operation } from '../../../api/operation.ts';
import { conflict, invalidValue } from '../../../errors/catalogue.ts';
import { ZunError } from '../../../errors/zun-error.ts';
import { booleanFromString } from '../../../rules/boolean-from-string.ts';
import { splitCommand } from '../../../rules/command-split.ts';
import { requireState } from '../../../rules/valid-states.ts';
import { isFault } from '../../../runtime/runtime-fault.ts';
import { consoleAddress } from '../console-address.ts';
import type { ContainerServices } from '../container-services.ts';
import { loadAuthorized } from '../load-container.ts';
import { outputText } from '../output-text.ts';
import { requiredText } from '../required-text.ts';
import { askRuntime } from '../runtime-refusal.ts';

/**
 * Runs a command in a running container and answers its output and exit code; with `run` false the address of a console that runs it when it is opened. A
 * command that cannot be started is an answer too: the engine's words and 126. One that is to be run now is, whether or not it is said to be
 * interactive: it reads no input. Origin: containers.py (execute), zun/compute/manager.py (container_exec).
 */
export function execute(services: ContainerServices): Operation {
  return {
    route: 'POST /v1/containers/{container_ident}/execute',
    async handle(request) {
      const { container } = await loadAuthorized(services, request, 'container:execute');
      requireState('execute', container);
      const { params } = request;
      const flag = (name: string, fallback: boolean) =>
        booleanFromString((params[name] as string | boolean | undefined) ?? fallback, 'run or interactive');
      const run = flag('run', true);
      const interactive = flag('interactive', false);
      const command = requiredText(params, 'command');
      const words = commandWords(command);
      if (!run) {
        const { id, url } = await consoleAddress(services, request, container, { kind: 'exec', command: words, interactive });
        return { status: 200, body: { output: null, exit_code: null, exec_id: id, proxy_url: url } };
      }
      const deadlineMs = services.settings.execTimeoutSeconds * 1000;
      const { output, exitCode } = await askRuntime(services, container, (runtime, signal) =>
        runtime.exec(container.uuid, words, deadlineMs, signal).catch((error) => {
          if (isFault(error, 'timeout')) throw conflict(`Timeout on executing command: ${command}`);
          throw error;
        }),
      );
      return { status: 200, body: { output: outputText(output), exit_code: exitCode, exec_id: null, proxy_url: null } };
    },
  };
}

function commandWords(command: string): string[] {
  let words: string[];
  try {
    words = splitCommand(command);
  } catch (error) {
    if (error instanceof ZunError) throw invalidValue(`Invalid value '${command}' for command: ${error.message}.`);
    throw error;
  }
  if (words.length === 0) throw invalidValue(`Invalid value '${command}' for command: it has no words.`);
  return words;
}
