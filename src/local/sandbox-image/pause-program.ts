/**
 * A static ELF executable for Linux that does nothing but wait: the process of a capsule's sandbox, which only holds namespaces. Made
 * here because no image with such a program is on every machine, and a node may reach no registry. `null` for another architecture.
 */
export function pauseProgram(architecture: string): Buffer | null {
  const machine = machines[architecture];
  return machine ? executable(machine) : null;
}

interface Machine {
  /** `e_machine` of the ELF header. */
  id: number;
  /** Calls the kernel's pause (or ppoll for ever, where there is no pause) in a loop. */
  code: Buffer;
}

const x64: Machine = {
  id: 62,
  // mov eax, 34 (pause); syscall; jmp back to the start
  code: Buffer.from('b8220000000f05ebf7', 'hex'),
};

const arm64: Machine = {
  id: 183,
  // mov x0..x4, 0; mov x8, 73 (ppoll); svc 0; b back to the start
  code: words([0xd2800000, 0xd2800001, 0xd2800002, 0xd2800003, 0xd2800004, 0xd2800928, 0xd4000001, 0x17fffff9]),
};

/** By the engine's names for them: `uname -m` and Go's. */
const machines: Record<string, Machine> = { x86_64: x64, amd64: x64, aarch64: arm64, arm64 };

const base = 0x400000;
const headerSize = 64;
const programHeaderSize = 56;

/** ELF header, one program header that loads the whole file to read and execute, code. */
function executable({ id, code }: Machine): Buffer {
  const start = headerSize + programHeaderSize;
  const size = start + code.length;
  const file = Buffer.alloc(size);
  file.write('\x7fELF\x02\x01\x01', 'latin1');
  file.writeUInt16LE(2, 16);
  file.writeUInt16LE(id, 18);
  file.writeUInt32LE(1, 20);
  file.writeBigUInt64LE(BigInt(base + start), 24);
  file.writeBigUInt64LE(BigInt(headerSize), 32);
  file.writeUInt16LE(headerSize, 52);
  file.writeUInt16LE(programHeaderSize, 54);
  file.writeUInt16LE(1, 56);
  const [load, readAndExecute, page] = [1, 5, 0x10000];
  file.writeUInt32LE(load, headerSize);
  file.writeUInt32LE(readAndExecute, headerSize + 4);
  for (const offset of [16, 24]) file.writeBigUInt64LE(BigInt(base), headerSize + offset);
  for (const offset of [32, 40]) file.writeBigUInt64LE(BigInt(size), headerSize + offset);
  file.writeBigUInt64LE(BigInt(page), headerSize + 48);
  code.copy(file, start);
  return file;
}

function words(values: number[]): Buffer {
  const code = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) code.writeUInt32LE(value, index * 4);
  return code;
}
