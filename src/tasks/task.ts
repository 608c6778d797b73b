/** A queued piece of work as its worker holds it. Times are epoch milliseconds. */
export interface Task {
  id: number;
  uuid: string;
  /** Names the saga that runs it. */
  kind: string;
  /** UUID of the container (capsule, image, …) it works on; tasks of one subject run in order of id. */
  subject: string;
  projectId: string;
  requestId: string | null;
  actionId: number | null;
  payload: unknown;
  progress: Progress;
  /** Grows with each claim; every write of the worker is conditional on it. */
  attempt: number;
  cancelled: boolean;
  deadline: number;
  createdAt: number;
}

/** How far a saga has come; written with each finished step. */
export interface Progress {
  /** Index of the step to run next. */
  next: number;
  /** What steps leave for later ones: small, JSON. */
  data: Record<string, unknown>;
  /** Since when the next step meets only transient failures; epoch milliseconds. */
  failingSince: number | null;
  /** Set once the saga has failed: why, the index of the step to undo next, and whether the rows say so already. */
  unwinding: { reason: string; next: number; told?: boolean } | null;
}

export interface NewTask {
  kind: string;
  subject: string;
  projectId: string;
  requestId: string | null;
  actionId: number | null;
  payload: unknown;
  deadline: number;
}
