/**
 * Every script the contract runs inside a workload, as argument vectors. Real engines run them in BusyBox;
 * the memory runtime's interpreter (`src/runtime/memory/`) understands the forms used here, so a new form
 * here needs its counterpart there.
 *
 * A process with PID 1 has no default signal handlers: `sleep` alone ignores SIGTERM, only a trap ends on it.
 */
export const shell = (script: string): string[] => ['sh', '-c', script];

/** Ignores SIGTERM; ends only by SIGKILL. */
export const stubborn = ['sleep', '1000'];

/** Says `ready`, then lives until SIGTERM and ends with the code. The trap stands once `ready` is in the logs. */
export const endsOnTerm = (code: number): string[] => shell(`trap 'exit ${code}' TERM; echo ready; while :; do sleep 1; done`);

/** Ignores SIGTERM also where process 1 has the usual handlers, as under gVisor. Says `ready` once it does. */
export const deaf = shell("trap '' TERM; echo ready; while :; do sleep 1; done");

/** Ends at once with the code, having said `run`. */
export const endsWith = (code: number): string[] => shell(`echo run; exit ${code}`);

/** Says the word, then lives on. */
export const says = (word: string): string[] => shell(`echo ${word}; sleep 1000`);

/** Ends with 1 and leaves the file; ends with 0 where it finds it. */
export const succeedsTheSecondTime = (path: string): string[] => shell(`[ -f ${path} ] && exit 0; echo tried > ${path}; exit 1`);

/** Two streams, a second apart so that no engine can mix the order, then lives on. */
export const speaksOnBothStreams = shell('echo one; sleep 1; echo two >&2; sleep 1; echo three; sleep 1000');

/** Writes the file, then ends by itself. */
export const writesFile = (path: string, text: string): string[] => shell(`echo ${text} > ${path}`);

/** What the process was given, one fact a line. */
export const tellsItsSurroundings = shell('echo "greeting=$GREETING"; echo "odd=$ODD"; pwd; cat /etc/hostname; sleep 1000');

export const tellsWhetherTty = shell('[ -t 1 ] && echo has-tty; [ -t 1 ] || echo no-tty; sleep 1000');

/** Says rows and columns of its terminal, each second. */
export const tellsTerminalSize = shell('while :; do stty size; sleep 1; done');

/** Says `ready` once its terminal is raw, then gives back what it gets. */
export const catsRawly = shell('stty raw -echo; echo ready; cat');

/** Says `tick`, each second. */
export const countsSeconds = shell('while :; do echo tick; sleep 1; done');
