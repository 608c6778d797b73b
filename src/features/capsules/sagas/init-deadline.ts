/** So long an init container may take, its retries included. */
export const initDeadlineSeconds = 3600;
