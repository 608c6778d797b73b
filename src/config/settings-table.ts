import type { SettingRow } from './setting-row.ts';
import { containersRows } from './table/containers.ts';
import { engineRows } from './table/engine.ts';
import { httpRows } from './table/http.ts';
import { installationRows } from './table/installation.ts';
import { kubernetesRows } from './table/kubernetes.ts';
import { logRows } from './table/log.ts';
import { schedulingRows } from './table/scheduling.ts';
import { workRows } from './table/work.ts';

/**
 * Every setting, in the order of the example file. Reading the file, the example, the documentation and the conversion of a `zun.conf`
 * are made from it. A row is here only if the program heeds it.
 */
export const settingsTable: readonly SettingRow[] = [
  ...installationRows,
  ...httpRows,
  ...engineRows,
  ...kubernetesRows,
  ...logRows,
  ...containersRows,
  ...schedulingRows,
  ...workRows,
];
