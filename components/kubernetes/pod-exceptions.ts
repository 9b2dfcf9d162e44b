/** A way in which a container leaves the restricted profile. */
export interface PodException {
  readonly reason: string;
  /** Root file system is writable. @default false */
  readonly writableRoot?: boolean;
  /** Linux capabilities added. @default none */
  readonly capabilities?: readonly string[];
  /** A program file may give its process more than its parent has. @default false */
  readonly privilegeEscalation?: boolean;
  /** Its pod may run as root. @default false */
  readonly root?: boolean;
}

/** Every exception there is: a container names the one it needs. All are within the baseline profile. */
export const podExceptions = {
  collabora: {
    reason:
      "Collabora locks each document into a chroot of its own, which takes these capabilities; they are those of a program " +
      "file, which no process may gain while escalation is off. Its start script edits its configuration in place.",
    writableRoot: true,
    capabilities: ["CHOWN", "FOWNER", "MKNOD", "SYS_CHROOT"],
    privilegeEscalation: true,
  },
  onlyoffice: {
    reason:
      "OnlyOffice starts as root, changes to users of its own, and writes its configuration and databases below its root.",
    writableRoot: true,
    capabilities: ["CHOWN", "DAC_OVERRIDE", "FOWNER", "KILL", "NET_BIND_SERVICE", "SETGID", "SETUID"],
    privilegeEscalation: true,
    root: true,
  },
  forge: {
    reason:
      "The forge's images render their configuration at the start, into folders that hold the program too, and write caches and " +
      "sockets beside it.",
    writableRoot: true,
  },
  hub: {
    reason: "The hub's images add a private certificate authority to the bundle of their own root at each start.",
    writableRoot: true,
  },
} as const satisfies Record<string, PodException>;

/** Name of an exception. */
export type PodExceptionName = keyof typeof podExceptions;
