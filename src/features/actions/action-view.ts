import { isoTime } from '../../rules/iso-time.ts';
import { fromDatabaseTime } from '../../telemetry/database-time.ts';
import type { ActionEventRow, ActionRow } from './action-store.ts';

/** An action as clients read it. Origin: zun/api/controllers/v1/views/actions_view.py (format_action). */
export function actionView(action: ActionRow) {
  return {
    action: action.action,
    container_uuid: action.container_uuid,
    request_id: action.request_id,
    user_id: action.user_id,
    project_id: action.project_id,
    start_time: time(action.start_time),
    finish_time: time(action.finish_time),
    message: action.message,
  };
}

/** An event of an action; why it failed is for those who may see it. Origin: actions_view.py (format_event). */
export function actionEventView(event: ActionEventRow, showsTraceback: boolean) {
  return {
    event: event.event,
    start_time: time(event.start_time),
    finish_time: time(event.finish_time),
    result: event.result,
    traceback: showsTraceback ? event.traceback : null,
  };
}

function time(column: string | null): string | null {
  const milliseconds = fromDatabaseTime(column);
  return milliseconds === null ? null : isoTime(milliseconds);
}
