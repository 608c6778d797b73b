import { parseSync } from 'oxc-parser';

/** One module a file names: in an import, a re-export, or a call of `import()` with a literal. */
export interface ModuleImport {
  specifier: string;
  /** 1-based. */
  line: number;
}

/** Every module that TypeScript source names, type imports too. Throws for source that does not parse. */
export function moduleImports(file: string, source: string): ModuleImport[] {
  const { module, errors } = parseSync(file, source);
  const [error] = errors;
  if (error) throw new Error(`${file}: ${error.message}`);
  const at = (specifier: string, offset: number): ModuleImport => ({ specifier, line: source.slice(0, offset).split('\n').length });
  const requests = [
    ...module.staticImports.map((statement) => statement.moduleRequest),
    ...module.staticExports.flatMap((statement) => statement.entries.map((entry) => entry.moduleRequest ?? null)),
  ].filter((request) => request !== null);
  const dynamic = module.dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
    const literal = /^(['"])(.*)\1$/.exec(source.slice(start, end));
    return literal?.[2] === undefined ? [] : [at(literal[2], start)];
  });
  return [...requests.map((request) => at(request.value, request.start)), ...dynamic];
}
