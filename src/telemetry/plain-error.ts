/** An error as a log line holds it. */
export interface PlainError {
  type: string;
  message: string;
  stack?: string;
  /** Node's, undici's or the database's code. */
  code?: string;
  /** A fault's kind. */
  kind?: string;
  status?: number;
  cause?: PlainError;
}

/** So many causes are told; a chain that bites its tail ends. */
const mostCauses = 5;

/**
 * Name, words, stack and causes of an error, and nothing else of it: other members hold statements with their values, requests
 * with their headers.
 */
export function plainError(error: unknown, causes = mostCauses): PlainError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const { code, kind, status } = error as { code?: unknown; kind?: unknown; status?: unknown };
  return {
    type: error.name,
    message: error.message,
    ...(error.stack === undefined ? {} : { stack: error.stack }),
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof kind === 'string' ? { kind } : {}),
    ...(typeof status === 'number' ? { status } : {}),
    ...(error.cause === undefined || causes === 0 ? {} : { cause: plainError(error.cause, causes - 1) }),
  };
}
