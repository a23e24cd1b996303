import { statfs } from 'node:fs/promises'

/**
 * File systems that one kernel alone has, by their numbers: linux/magic.h. All others count as shared: a server on another machine,
 * or in another kernel on this one, may work in the same files, and what this kernel knows of sockets and locks says nothing of it.
 */
const LOCAL: ReadonlySet<number> = new Set([
  0xef53, // ext2, ext3, ext4
  0x58465342, // xfs
  0x9123683e, // btrfs
  0xca451a4e, // bcachefs
  0xf2f52010, // f2fs
  0x2fc12fc1, // zfs
  0x3153464a, // jfs
  0x52654973, // reiserfs
  0x24051905, // ubifs
  0x7366746e, // ntfs3
  0x4d44, // fat
  0x2011bab0, // exfat
  0x01021994, // tmpfs
  0x794c7630, // overlay
])

/** Whether a folder's file system may be that of other machines too: of a network, of a host of virtual machines, or not known. */
export async function isShared(folder: string): Promise<boolean> {
  if (process.platform !== 'linux') return false
  return !LOCAL.has((await statfs(folder)).type)
}
