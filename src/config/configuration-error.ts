/** One thing that is wrong with a configuration file; lines and columns count from 1. */
export interface ConfigurationProblem {
  line: number;
  column: number;
  words: string;
}

/** A configuration file that cannot be used. The message names all that is wrong, a line each: `zun.yaml:3:5: …`. */
export class ConfigurationError extends Error {
  readonly problems: readonly ConfigurationProblem[];

  constructor(file: string, problems: readonly ConfigurationProblem[]) {
    super(problems.map(({ line, column, words }) => `${file}:${line}:${column}: ${words}`).join('\n'));
    this.name = 'ConfigurationError';
    this.problems = problems;
  }
}
