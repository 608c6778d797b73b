/** A request whose answer was sent, or whose client left before. */
export interface AnsweredRequest {
  method: string;
  /** The path of `contract/routes.json`; `null` when none was found, or none was looked for. */
  route: string | null;
  status: number;
  milliseconds: number;
  requestId: string | null;
}
