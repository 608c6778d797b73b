import type { Operation } from '../../api/operation.ts';
import type { ContainerServices } from './container-services.ts';
import { addSecurityGroup } from './operations/add-security-group.ts';
import { attach } from './operations/attach.ts';
import { commit } from './operations/commit.ts';
import { create } from './operations/create.ts';
import { deleteOperation } from './operations/delete.ts';
import { execute } from './operations/execute.ts';
import { executeResize } from './operations/execute-resize.ts';
import { getArchive } from './operations/get-archive.ts';
import { kill } from './operations/kill.ts';
import { list } from './operations/list.ts';
import { logs } from './operations/logs.ts';
import { networkAttach } from './operations/network-attach.ts';
import { networkDetach } from './operations/network-detach.ts';
import { networkList } from './operations/network-list.ts';
import { pause } from './operations/pause.ts';
import { putArchive } from './operations/put-archive.ts';
import { reboot } from './operations/reboot.ts';
import { rebuild } from './operations/rebuild.ts';
import { removeSecurityGroup } from './operations/remove-security-group.ts';
import { rename } from './operations/rename.ts';
import { resize } from './operations/resize.ts';
import { resizeContainer } from './operations/resize-container.ts';
import { show } from './operations/show.ts';
import { start } from './operations/start.ts';
import { stats } from './operations/stats.ts';
import { stop } from './operations/stop.ts';
import { top } from './operations/top.ts';
import { unpause } from './operations/unpause.ts';
import { update } from './operations/update.ts';

/** The operations of `/v1/containers`, but for its actions (`features/actions`). */
export function containerOperations(services: ContainerServices): Operation[] {
  return [
    addSecurityGroup(services),
    attach(services),
    commit(services),
    create(services),
    deleteOperation(services),
    execute(services),
    executeResize(services),
    getArchive(services),
    kill(services),
    list(services),
    logs(services),
    networkAttach(services),
    networkDetach(services),
    networkList(services),
    pause(services),
    putArchive(services),
    reboot(services),
    rebuild(services),
    removeSecurityGroup(services),
    rename(services),
    resize(services),
    resizeContainer(services),
    show(services),
    start(services),
    stats(services),
    stop(services),
    top(services),
    unpause(services),
    update(services),
  ];
}
