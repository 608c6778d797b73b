const titles = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  413: 'Request Entity Too Large',
};

/** The statuses that the local identity refuses with. */
export type IdentityStatus = keyof typeof titles;

/** A refusal of the local identity service; clients get it in Keystone's shape. */
export class IdentityError extends Error {
  readonly status: IdentityStatus;

  constructor(status: IdentityStatus, message: string) {
    super(message);
    this.name = 'IdentityError';
    this.status = status;
  }

  /** Keystone's error document. */
  document(): { error: { code: number; message: string; title: string } } {
    return { error: { code: this.status, message: this.message, title: titles[this.status] } };
  }
}

/** The one answer to every failed login and every token that does not count: it tells nothing about which part was wrong. */
export const unauthorized = (): IdentityError => new IdentityError(401, 'The request you have made requires authentication.');
